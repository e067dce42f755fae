import { renderSkill } from "@skillwright/core/internal";

export interface SkillTemplateOptions {
  readonly name: string;
  readonly description: string | undefined;
}

/** The files of a new skill by relative path. */
export function skillTemplate({ name, description }: SkillTemplateOptions): Record<string, string> {
  const title = titleOf(name);
  return {
    "SKILL.md": renderSkill({
      name,
      description: description ?? `${title}. Use when the user asks for ${title.toLowerCase()}.`,
      body: bodyOf(title),
    }),
    "evals/evals.json": `${JSON.stringify(evalsOf(name, title), null, 2)}\n`,
  };
}

function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function bodyOf(title: string): string {
  return `
# ${title}

## Goal

What is true for the user when this skill has done its work, in one or two sentences.

## Inputs and outputs

- Input: what the user gives, and what to ask for when it is missing.
- Output: what comes back, in which form and where.

## Steps

1. Look at the input and say what you understood.
2. Do the work, one action per step.
3. Check the result against the checklist below.

## Failure cases

- Input is missing or cannot be read: say which, and what would help.
- A step fails: stop, show the error, propose the next step.

## Checklist

- [ ] The output has the form described above.
- [ ] Nothing outside the task was changed.

## Resources

Put documents into \`references/\`, programs into \`scripts/\` and templates into \`assets/\`, and link
each of them here with a word on when to use it.
`;
}

/** One that fits; a name of a letter or two is in no request, and is called. */
function promptOf(name: string, title: string): string {
  return /\p{L}{3}|\p{Lo}/u.test(name)
    ? `Please help me with this: ${title.toLowerCase()}.`
    : `/${name} Please help me with this.`;
}

/** A first request that it is for, and one that it is not: both can be judged without a model. */
function evalsOf(name: string, title: string) {
  return {
    skill_name: name,
    evals: [
      {
        id: 1,
        prompt: promptOf(name, title),
        should_trigger: true,
        expected_output: "The result described in the skill's goal, in the form it promises.",
        files: [],
        assertions: [
          { text: "The skill was used", type: "skill_used", value: name },
          { text: "There is an answer", type: "regex", pattern: String.raw`\S` },
        ],
      },
      {
        id: 2,
        prompt: "How high is the highest mountain of Africa?",
        should_trigger: false,
        expected_output: "An answer without this skill.",
        files: [],
        assertions: [{ text: "The skill was not used", type: "skill_not_used", value: name }],
      },
    ],
  };
}
