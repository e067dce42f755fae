import { defineRule } from "../draft-rule.ts";

export const yamlInvalid = defineRule({
  code: "yaml-invalid",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is not valid YAML.",
  explanation:
    "Nothing of the skill can be read. The usual causes are a tab in the indentation, a quote that is not closed, or text after a closing quote.",
  example: {
    bad: "---\nname: 'pdf-processing\n---",
    good: "---\nname: pdf-processing\n---",
  },
});
