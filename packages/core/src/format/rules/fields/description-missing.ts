import { defineRule, valueSpan } from "../draft-rule.ts";

export const descriptionMissing = defineRule({
  code: "description-missing",
  severity: "error",
  effect: "skipped",
  summary: "The skill has no description.",
  explanation:
    "The description is all a model sees before it chooses; without one the skill can never be chosen, so it is not loaded.",
  example: {
    bad: "---\nname: pdf-processing\n---",
    good: "---\nname: pdf-processing\ndescription: Extracts text from PDF files. Use when a PDF must be read.\n---",
  },
  check({ description }, draft, report) {
    if (description !== "") return;
    report(valueSpan(draft, "description"), missingDescription(draft.fields.has("description")));
  },
});

export function missingDescription(isThere: boolean) {
  return {
    message: isThere ? "the `description` is empty" : "the skill has no `description`",
    hint: "say what the skill does and when to use it, in a sentence or two",
  };
}
