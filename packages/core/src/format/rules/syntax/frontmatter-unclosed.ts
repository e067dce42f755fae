import { defineRule } from "../draft-rule.ts";

export const frontmatterUnclosed = defineRule({
  code: "frontmatter-unclosed",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter has no closing `---` line.",
  explanation:
    "Without the second delimiter nothing tells where the body starts. The delimiter is three hyphens at the start of a line with nothing after them.",
  example: {
    bad: "---\nname: pdf-processing\ndescription: Extracts text.\n# PDF processing",
    good: "---\nname: pdf-processing\ndescription: Extracts text. Use when a PDF must be read.\n---\n# PDF processing",
  },
});
