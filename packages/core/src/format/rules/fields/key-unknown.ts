import { defineRule } from "../draft-rule.ts";

export const keyUnknown = defineRule({
  code: "key-unknown",
  severity: "info",
  summary: "A key is not part of the specification.",
  explanation:
    "It is kept and never interpreted. The reference validator refuses such keys; `metadata` is the place for your own.",
  example: {
    bad: "category: documents",
    good: "metadata:\n  category: documents",
  },
});
