import { characterName, SMUGGLING } from "../../../internal/hidden-characters.ts";
import { defineRule } from "../draft-rule.ts";

export const bodyInvisibleCharacters = defineRule({
  code: "body-invisible-characters",
  severity: "error",
  summary: "The body holds characters that hide or reorder what it says.",
  explanation:
    "Unicode tag characters spell out text that no person sees and a model reads; bidirectional controls show a text in another order than it has. They are taken out before a model gets the body, but no honest skill has them.",
  example: {
    bad: "Format the date.\\u{E0049}\\u{E0067}…",
    good: "Format the date.",
  },
  lint({ body }, { parts }, report) {
    const index = body.search(SMUGGLING);
    if (index === -1) return;
    const start = parts.bodyStart + index;
    report(
      { start, end: start + 1 },
      {
        message: `the body holds the invisible character ${characterName(body, index)}`,
        hint: "remove it; if you did not write it, do not trust this skill",
      },
    );
  },
});
