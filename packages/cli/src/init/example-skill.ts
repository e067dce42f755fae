import { renderSkill } from "@skillwright/core/internal";

export const EXAMPLE = "example-skill";

const BODY = `
# Example skill

## Goal

The user knows what the skills of this project are and how to add one.

## Inputs and outputs

- Input: a question about the skills of this project.
- Output: a short answer with the command to run next.

## Steps

1. Say that each folder below \`.agent/skills/\` with a \`SKILL.md\` is a skill, and that this one is the example.
2. For a new skill, name the command: \`skillwright new <name>\`.
3. To check skills, name \`skillwright lint\` and \`skillwright eval\`.

## Failure cases

- The question is about something else: say that this skill only explains skills.

## Checklist

- [ ] The answer names a command that the user can run.

## Resources

None. Remove this folder once there are skills of your own.
`;

const EVALS = {
  skill_name: EXAMPLE,
  evals: [
    {
      id: 1,
      prompt: "What does the example skill of this project do?",
      should_trigger: true,
      expected_output: "What a skill is, and the command that makes one.",
      files: [],
      assertions: [
        { text: "The skill was used", type: "skill_used", value: EXAMPLE },
        { text: "There is an answer", type: "regex", pattern: String.raw`\S` },
      ],
    },
    {
      id: 2,
      prompt: "How high is the highest mountain of Africa?",
      should_trigger: false,
      expected_output: "An answer without this skill.",
      files: [],
      assertions: [{ text: "The skill was not used", type: "skill_not_used", value: EXAMPLE }],
    },
  ],
};

/** A finished skill, which passes every check from the start. */
export function exampleSkill(): Record<string, string> {
  const description =
    "Shows how a skill is built. Use when the user asks what the example skill of this project does.";
  return {
    "SKILL.md": renderSkill({ name: EXAMPLE, description, body: BODY }),
    "evals/evals.json": `${JSON.stringify(EVALS, null, 2)}\n`,
  };
}
