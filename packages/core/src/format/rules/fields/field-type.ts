import { defineRule } from "../draft-rule.ts";

export const fieldType = defineRule({
  code: "field-type",
  severity: "warning",
  strict: "error",
  summary: "A field has a value of the wrong type.",
  explanation:
    "`name: 123` is a number and `name: null` is nothing at all to YAML. Loading uses what was written in the file where it can; other clients may refuse the skill or show something else (`1.10` becomes `1.1`). Quote the value.",
  example: {
    bad: "version: 1.10",
    good: 'version: "1.10"',
  },
});
