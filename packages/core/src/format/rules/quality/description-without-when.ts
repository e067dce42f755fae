import { defineRule, valueSpan } from "../draft-rule.ts";

/** Words that introduce an occasion, in the languages most skills are written in. */
const WHEN =
  /\b(?:when|whenever|while|if|before|after|during|upon|trigger(?:s|ed)?|use(?:d|ful)?\s+(?:this|it|for|to|on|by|as|in|with)|invoke[ds]?|helps?\s+(?:with|users?|you)|for\s+(?:tasks?|requests?|questions?|working|creating|writing))\b|当|時|时|场景|場合|场合|用于|適用|适用|とき|際に|경우|때|(?<!\p{L})(?:cuando|quando|quand|lorsque|wenn|когда|при)(?!\p{L})/iu;

export const descriptionWithoutWhen = defineRule({
  code: "description-without-when",
  severity: "warning",
  summary: "The description does not say when to use the skill.",
  explanation:
    'A model chooses by the description alone. "Extracts text from PDF files" tells what it does; "Use when a PDF must be read, filled in or merged" tells when to choose it.',
  example: {
    bad: "description: Extracts text from PDF files.",
    good: "description: Extracts text from PDF files. Use when a PDF must be read or filled in.",
  },
  lint({ description }, draft, report) {
    if (description === "" || WHEN.test(description)) return;
    report(draft.spanOf(valueSpan(draft, "description")), {
      message: "the description does not say when to use the skill",
      hint: 'add a sentence such as "Use when …"',
    });
  },
});
