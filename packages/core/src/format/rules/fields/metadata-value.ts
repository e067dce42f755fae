import { defineRule } from "../draft-rule.ts";

export const metadataValue = defineRule({
  code: "metadata-value",
  severity: "warning",
  summary: "A metadata value is not text.",
  explanation:
    "Metadata maps text to text. Numbers, booleans and empty values are read as the text that stands in the file; others may turn `1.10` into `1.1`. Quote the value.",
  example: {
    bad: "metadata:\n  version: 1.10",
    good: 'metadata:\n  version: "1.10"',
  },
});
