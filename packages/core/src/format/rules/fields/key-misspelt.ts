import { defineRule } from "../draft-rule.ts";

export const keyMisspelt = defineRule({
  code: "key-misspelt",
  severity: "warning",
  strict: "error",
  summary: "A key is spelt differently from the one that was meant.",
  explanation:
    "Other clients ignore the line, so that the skill quietly loses its tools or its visibility. `skillwright lint --fix` renames keys whose meaning is certain.",
  example: {
    bad: "user-invokable: false",
    good: "user-invocable: false",
  },
});
