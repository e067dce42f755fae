import { frontMatterValue } from "./front-matter.mjs";
import { suggestEvals } from "./suggested-evals.mjs";

/** The files of a new skill by their paths. */
export function skeleton(name, description) {
  return {
    "SKILL.md": `---\nname: ${name}\ndescription: ${frontMatterValue(description)}\n---\n${bodyOf(titleOf(name))}`,
    "evals/evals.json": `${JSON.stringify(suggestEvals(name, description), null, 2)}\n`,
  };
}

function titleOf(name) {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function bodyOf(title) {
  return `
# ${title}

## Goal

One or two sentences: what the user has in hand when this is done.

## Input and output

- Input: what the user gives. When something is missing, ask for it by name.
- Output: what comes back, in which form, and where it is put.

## Steps

1. Read the input and say in one line what was understood.
2. Do the work. One action to a line, with the command as it is typed.
3. Go through the checklist before answering.

## Failure

- The input cannot be read: say which part, and what would help.
- A step fails: stop, show the message, and propose what to do next.

## Checklist

- [ ] The output has the form named above.
- [ ] Nothing was changed that was not part of the task.

## Resources

None yet. Texts to read go into \`references/\`, programs into \`scripts/\`, templates into \`assets/\`;
link each of them here and say when it is needed.
`;
}
