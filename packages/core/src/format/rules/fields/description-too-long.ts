import { defineRule, valueSpan } from "../draft-rule.ts";
import { countCharacters } from "../../text/count-characters.ts";

export const MAX_DESCRIPTION_LENGTH = 1024;

export const descriptionTooLong = defineRule({
  code: "description-too-long",
  severity: "warning",
  strict: "error",
  summary: "The description is longer than 1,024 characters.",
  explanation:
    "Every description is in every prompt. Say what the skill does and when to use it; the rest belongs into the body.",
  example: {
    bad: "description: … 1,500 characters …",
    good: "description: Extracts text from PDF files. Use when a PDF must be read.",
  },
  check({ description }, draft, report) {
    const finding = longDescription(description);
    if (finding !== undefined) report(valueSpan(draft, "description"), finding);
  },
});

export function longDescription(description: string) {
  if (description.length <= MAX_DESCRIPTION_LENGTH) return undefined;
  const length = countCharacters(description);
  if (length <= MAX_DESCRIPTION_LENGTH) return undefined;
  return {
    message: `the description has ${length} characters, ${MAX_DESCRIPTION_LENGTH} are allowed`,
    hint: "say what it does and when to use it; the rest belongs into the body",
  };
}
