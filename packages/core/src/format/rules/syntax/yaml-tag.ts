import { defineRule } from "../draft-rule.ts";

export const yamlTag = defineRule({
  code: "yaml-tag",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter uses a YAML tag.",
  explanation: "Tags make some YAML parsers build objects or run code. Quote the value instead.",
  example: {
    bad: "version: !!str 1.10",
    good: 'version: "1.10"',
  },
});
