import { defineRule } from "../draft-rule.ts";

export const yamlDuplicateKey = defineRule({
  code: "yaml-duplicate-key",
  severity: "error",
  effect: "skipped",
  summary: "A key appears twice in the same mapping.",
  explanation:
    "Parsers disagree on which of the two counts, so the skill would mean different things in different clients.",
  example: {
    bad: "name: pdf\nname: pdf-processing",
    good: "name: pdf-processing",
  },
});
