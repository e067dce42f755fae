import { defineRule } from "../draft-rule.ts";

export const frontmatterNotFirst = defineRule({
  code: "frontmatter-not-first",
  severity: "warning",
  strict: "error",
  summary: "Blank lines stand before the frontmatter.",
  explanation: "Many clients want `---` on the very first line and find no skill otherwise.",
  example: {
    bad: "\n---\nname: pdf-processing\n---",
    good: "---\nname: pdf-processing\n---",
  },
});
