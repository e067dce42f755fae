import { defineRule } from "../draft-rule.ts";

export const allowedToolsUnreadable = defineRule({
  code: "allowed-tools-unreadable",
  severity: "warning",
  summary: "An entry of `allowed-tools` is not a tool rule.",
  explanation:
    "A rule is a tool's name, optionally with a specifier in parentheses directly behind it. What cannot be read grants nothing.",
  example: {
    bad: "allowed-tools: Bash (git:*)",
    good: "allowed-tools: Bash(git:*)",
  },
});
