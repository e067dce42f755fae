import { defineRule, valueSpan } from "../draft-rule.ts";
import { characterName, SMUGGLING } from "../../text/invisible-characters.ts";

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
  check(skill, draft, report) {
    if (draft.isPlain) return;
    for (const key of ["name", "description", "compatibility"] as const) {
      const text = skill[key] ?? "";
      const index = text.search(SMUGGLING);
      if (index !== -1) report(valueSpan(draft, key), finding(`the ${key}`, text, index));
    }
    const frontmatter = draft.parts.text.slice(draft.parts.start, draft.parts.end);
    const index = draft.reporter.has("hidden") ? -1 : frontmatter.search(SMUGGLING);
    if (index !== -1) {
      report({ start: index, end: index + 1 }, finding("the frontmatter", frontmatter, index));
    }
  },
  lint({ body }, { parts }, report) {
    const index = body.search(SMUGGLING);
    if (index === -1) return;
    const start = parts.bodyStart + index;
    report({ start, end: start + 1 }, finding("the body", body, index));
  },
});

function finding(where: string, text: string, index: number) {
  return {
    message: `${where} holds the invisible character ${characterName(text, index)}`,
    hint: "remove it; if you did not write it, do not trust this skill",
  };
}
