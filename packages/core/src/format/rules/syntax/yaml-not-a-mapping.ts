import { defineRule } from "../draft-rule.ts";

export const yamlNotAMapping = defineRule({
  code: "yaml-not-a-mapping",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is not a list of `key: value` lines.",
  explanation:
    "The frontmatter must be a mapping with at least `name` and `description`; this one is empty, a list, or a single text.",
  example: {
    bad: "---\n- pdf-processing\n---",
    good: "---\nname: pdf-processing\ndescription: Extracts text. Use when a PDF must be read.\n---",
  },
});
