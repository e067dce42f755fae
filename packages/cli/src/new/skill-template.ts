import { renderSkill } from "@skillwright/core/internal";

/** What may stand beside SKILL.md in a new skill. */
export const PARTS = ["script", "references", "evals"] as const;
export type Part = (typeof PARTS)[number];

export interface SkillTemplateOptions {
  readonly name: string;
  readonly description: string | undefined;
  readonly parts: readonly Part[];
}

/**
 * The files of a new skill by relative path. What only the author knows is marked with `TODO:`, which
 * strict lint, packing and the first eval refuse.
 */
export function skillTemplate(options: SkillTemplateOptions): Record<string, string> {
  const { name, description, parts } = options;
  const title = titleOf(name);
  return {
    "SKILL.md": renderSkill({
      name,
      description:
        description ?? `TODO: what it does. Use when the user asks for ${title.toLowerCase()}.`,
      body: bodyOf(title, parts),
    }),
    ...(parts.includes("script") && { "scripts/main.mjs": SCRIPT }),
    ...(parts.includes("references") && {
      "references/details.md": `# Details\n\nTODO: what is needed now and then, such as tables and rules.\n`,
    }),
    ...(parts.includes("evals") && { "evals/evals.json": evalsText(name, title) }),
  };
}

function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const SCRIPT = `#!/usr/bin/env node
// usage: node scripts/main.mjs <file>
import { readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node scripts/main.mjs <file>");
  process.exit(2);
}
const text = readFileSync(file, "utf8");
// TODO: what the script does with the text. Results go to stdout, problems to stderr.
console.error(\`TODO: \${file} has \${text.length} characters, and nothing is done with them yet\`);
process.exit(1);
`;

function bodyOf(title: string, parts: readonly Part[]): string {
  const resources = [
    ...(parts.includes("script")
      ? ["- `node scripts/main.mjs <file>`: TODO: what it prints."]
      : []),
    ...(parts.includes("references")
      ? ["- [Details](references/details.md): TODO: when to read it."]
      : []),
    ...(parts.includes("script") || parts.includes("references")
      ? []
      : ["None. Documents go to `references/`, programs to `scripts/`, templates to `assets/`."]),
  ];
  return `
# ${title}

## Goal

TODO: what is true for the user when the skill has done its work.

## Inputs and outputs

- Input: TODO: what the user gives, and what to ask for when it is missing.
- Output: TODO: what comes back, in which form and where.

## Steps

1. TODO: one action per step.
2. Check the result against the checklist below.

## Failure cases

- TODO: what can be missing or wrong, and what to do then.
- A step fails: stop, show the error, propose the next step.

## Checklist

- [ ] TODO: how to see that the output is right.
- [ ] Nothing outside the task was changed.

## Resources

${resources.join("\n")}
`;
}

/** One that fits; a name of a letter or two is in no request, and is called. */
function promptOf(name: string, title: string): string {
  return /\p{L}{3}|\p{Lo}/u.test(name)
    ? `Please help me with this: ${title.toLowerCase()}.`
    : `/${name} Please help me with this.`;
}

/** A first request that it is for, and one that it is not: both can be judged without a model. */
function evalsText(name: string, title: string): string {
  const evals = [
    {
      id: 1,
      prompt: promptOf(name, title),
      should_trigger: true,
      expected_output: "TODO: what a good answer looks like.",
      files: [],
      assertions: [
        { text: "The skill was used", type: "skill_used", value: name },
        {
          text: "TODO: replace this with a text that every good answer contains",
          type: "contains",
          value: "TODO: a text that every good answer contains",
        },
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
  ];
  return `${JSON.stringify({ skill_name: name, evals }, null, 2)}\n`;
}
