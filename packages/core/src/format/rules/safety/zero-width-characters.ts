import { defineRule, valueSpan } from "../draft-rule.ts";
import { characterName, ZERO_WIDTH } from "../../text/invisible-characters.ts";

export const zeroWidthCharacters = defineRule({
  code: "zero-width-characters",
  severity: "warning",
  summary: "The text holds zero-width characters.",
  explanation:
    "They belong to the writing of Persian and several Indic scripts; in other text they split words so that neither people nor searches find them.",
  example: {
    bad: "name: pdf\\u200B-processing",
    good: "name: pdf-processing",
  },
  check({ name, description }, draft, report) {
    if (draft.isPlain) return;
    for (const [key, text] of [
      ["name", name],
      ["description", description],
    ] as const) {
      const index = text.search(ZERO_WIDTH);
      if (index !== -1) report(valueSpan(draft, key), finding(`the ${key}`, text, index));
    }
  },
  lint({ body }, { parts }, report) {
    const index = body.search(ZERO_WIDTH);
    if (index === -1) return;
    const start = parts.bodyStart + index;
    report({ start, end: start + 1 }, finding("the body", body, index));
  },
});

function finding(where: string, text: string, index: number) {
  const message = `${where} holds the zero-width character ${characterName(text, index)}`;
  return { message, hint: "remove it unless the language needs it" };
}
