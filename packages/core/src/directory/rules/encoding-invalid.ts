import { defineDirectoryRule } from "../skill-directory.ts";

export const encodingInvalid = defineDirectoryRule({
  code: "encoding-invalid",
  severity: "warning",
  strict: "error",
  summary: "SKILL.md is not valid UTF-8.",
  explanation:
    "Bytes that are no UTF-8 become replacement characters, differently in different clients. UTF-16 is read here and nowhere else.",
  example: {
    bad: "SKILL.md saved as UTF-16 or Latin-1",
    good: "SKILL.md saved as UTF-8",
  },
});
