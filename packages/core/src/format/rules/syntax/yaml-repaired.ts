import { defineRule } from "../draft-rule.ts";

export const yamlRepaired = defineRule({
  code: "yaml-repaired",
  severity: "warning",
  strict: "error",
  summary: "A value had to be quoted before the YAML could be read.",
  explanation:
    "A colon followed by a blank, or a bracket with text after it, ends a plain YAML value. Other clients lose such a skill without a word. `skillwright lint --fix` writes the quotes.",
  example: {
    bad: "description: Use when: a PDF must be read",
    good: 'description: "Use when: a PDF must be read"',
  },
});
