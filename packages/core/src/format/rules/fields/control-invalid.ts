import { defineRule } from "../draft-rule.ts";

export const controlInvalid = defineRule({
  code: "control-invalid",
  severity: "warning",
  strict: "error",
  summary: "A control field has a value it cannot have.",
  explanation:
    "`disable-model-invocation` and `user-invocable` are `true` or `false`, `run-mode` is `inline` or `subagent`. A flag that cannot be read counts as the value that permits less.",
  example: {
    bad: "user-invocable: maybe",
    good: "user-invocable: true",
  },
});
