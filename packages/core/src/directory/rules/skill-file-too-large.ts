import { defineDirectoryRule } from "../skill-directory.ts";

export const skillFileTooLarge = defineDirectoryRule({
  code: "skill-file-too-large",
  severity: "error",
  effect: "skipped",
  summary: "SKILL.md is larger than 1 MiB.",
  explanation:
    "The largest of fifteen thousand public skills has 160 KB. Move content into files under `references/`.",
  example: {
    bad: "SKILL.md with 3 MiB",
    good: "SKILL.md with the steps, tables under references/",
  },
});
