import { defineRule } from "../draft-rule.ts";

export const frontmatterMissing = defineRule({
  code: "frontmatter-missing",
  severity: "error",
  effect: "skipped",
  summary: "SKILL.md does not start with YAML frontmatter.",
  explanation:
    "A skill is found by the name and description in its frontmatter. The first line with text must be `---`, alone on its line. A file that holds only a path is a symbolic link that was checked out as text; check it out again with links enabled.",
  example: {
    bad: "# PDF processing\n\nExtract text from PDF files.",
    good: "---\nname: pdf-processing\ndescription: Extracts text from PDF files. Use when a PDF must be read.\n---\n\n# PDF processing",
  },
});
