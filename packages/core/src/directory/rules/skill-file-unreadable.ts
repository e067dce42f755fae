import { defineDirectoryRule } from "../skill-directory.ts";

export const skillFileUnreadable = defineDirectoryRule({
  code: "skill-file-unreadable",
  severity: "error",
  effect: "skipped",
  summary: "SKILL.md cannot be read.",
  explanation:
    "It is not a regular file, a symbolic link, or its permissions do not let us. Links inside a skill are refused because they can lead to any file of the machine; the skill's folder itself may be a link.",
  example: {
    bad: "format-dates/SKILL.md -> ../../notes.md",
    good: "format-dates/SKILL.md",
  },
});
