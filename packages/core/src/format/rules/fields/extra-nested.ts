import { defineRule } from "../draft-rule.ts";

export const extraNested = defineRule({
  code: "extra-nested",
  severity: "warning",
  summary: "A key holds nested keys that no client interprets.",
  explanation:
    "The specification has flat fields and a `metadata` mapping of text to text. Nested values are kept under `extra` and never used.",
  example: {
    bad: "metadata:\n  requires:\n    bins: [git]",
    good: "metadata:\n  requires: bin:git",
  },
});
