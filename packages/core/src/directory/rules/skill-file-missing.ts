import { defineDirectoryRule } from "../skill-directory.ts";

export const skillFileMissing = defineDirectoryRule({
  code: "skill-file-missing",
  severity: "error",
  effect: "skipped",
  summary: "The folder has no file named exactly `SKILL.md`.",
  explanation:
    "The name is part of the format. On a case-insensitive disk `skill.md` seems to work and is lost on the next one.",
  example: {
    bad: "format-dates/skill.md",
    good: "format-dates/SKILL.md",
  },
});
