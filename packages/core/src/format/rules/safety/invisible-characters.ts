import { characterName, SMUGGLING, indexOfUnsafe } from "../../../internal/hidden-characters.ts";
import { eachScalar } from "../../yaml/each-scalar.ts";
import { defineRule, valueSpan } from "../draft-rule.ts";

export const invisibleCharacters = defineRule({
  code: "invisible-characters",
  severity: "error",
  effect: "hidden",
  summary: "The text holds characters that hide or reorder what it says.",
  explanation:
    "Unicode tag characters spell out text that no person sees and a model reads; bidirectional controls show a text in another order than it has. No public skill needs either, so a skill that has them in its frontmatter is kept from models.",
  example: {
    bad: "description: Formats dates\\u{E0049}\\u{E0067}…",
    good: "description: Formats dates",
  },
  check({ name }, draft, report) {
    // A model could not tell such a name from another, and nobody could type it.
    const inName = indexOfUnsafe(name);
    if (inName !== -1 && !/[\s\p{Cc}]/u.test(name.charAt(inName)) && !SMUGGLING.test(name)) {
      const message = `the name holds the invisible character ${characterName(name, inName)}`;
      report(valueSpan(draft, "name"), { message, hint: "remove it" });
    }
    if (!draft.mayHide) return;
    let found = false;
    for (const { text, start, end } of eachScalar(draft.frontmatter)) {
      const index = text.search(SMUGGLING);
      if (index === -1) continue;
      report({ start, end }, finding(text, index));
      found = true;
    }
    const { text, start, end } = draft.parts;
    const index = found ? -1 : text.slice(start, end).search(SMUGGLING);
    if (index === -1) return;
    const at = draft.nodeOffset(index);
    report({ start: at, end: at + 1 }, finding(text, start + index));
  },
});

function finding(text: string, index: number) {
  return {
    message: `the frontmatter holds the invisible character ${characterName(text, index)}`,
    hint: "remove it; if you did not write it, do not trust this skill",
  };
}
