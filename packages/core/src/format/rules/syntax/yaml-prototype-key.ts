import { defineRule } from "../draft-rule.ts";

export const yamlPrototypeKey = defineRule({
  code: "yaml-prototype-key",
  severity: "error",
  effect: "skipped",
  summary: "A key has the name of a built-in property of JavaScript objects.",
  explanation:
    "Keys such as `__proto__` and `constructor` are a known way to attack programs that copy parsed data. No skill needs one.",
  example: {
    bad: "metadata:\n  __proto__: admin",
    good: "metadata:\n  role: admin",
  },
});
