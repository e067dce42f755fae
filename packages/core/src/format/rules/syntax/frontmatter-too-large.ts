import { defineRule } from "../draft-rule.ts";

export const frontmatterTooLarge = defineRule({
  code: "frontmatter-too-large",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is larger than 16 KiB.",
  explanation:
    "Frontmatter is read for every skill at every start. The largest of fifteen thousand public skills has 3.5 KB; longer text belongs into the body or into a file under `references/`.",
  example: {
    bad: "---\nname: report\ndescription: |\n  … 20,000 characters …\n---",
    good: "---\nname: report\ndescription: Writes a report. Use when figures must be summarised.\n---",
  },
});
