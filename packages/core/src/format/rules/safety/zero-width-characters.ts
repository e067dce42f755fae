import { defineRule, valueSpan } from "../draft-rule.ts";
import { characterName, zeroWidth } from "../../../internal/hidden-characters.ts";

export const zeroWidthCharacters = defineRule({
  code: "zero-width-characters",
  severity: "warning",
  summary: "The text holds zero-width or otherwise invisible characters.",
  explanation:
    "Some scripts need them between letters, and emoji are joined with them; those are not reported. Anywhere else they split words so that neither people nor searches find them, or hide a message.",
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
      const index = text.search(zeroWidth());
      if (index !== -1) report(valueSpan(draft, key), finding(`the ${key}`, text, index));
    }
  },
  lint({ body }, { parts }, report) {
    const index = body.search(zeroWidth());
    if (index === -1) return;
    const start = parts.bodyStart + index;
    report({ start, end: start + 1 }, finding("the body", body, index));
  },
});

function finding(where: string, text: string, index: number) {
  const message = `${where} holds the invisible character ${characterName(text, index)}`;
  return { message, hint: "remove it unless the language needs it" };
}
