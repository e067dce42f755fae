import { defineRule } from "../draft-rule.ts";

export const valueAmbiguous = defineRule({
  code: "value-ambiguous",
  severity: "warning",
  summary: "An unquoted value is read differently by different YAML versions.",
  explanation:
    "Parsers of YAML 1.1 – Python's among them – read dates, `yes`/`no` and numbers with underscores or colons as something other than text. Quote the value.",
  example: {
    bad: "version: 2026-11-15",
    good: 'version: "2026-11-15"',
  },
});
