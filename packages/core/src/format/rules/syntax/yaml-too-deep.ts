import { defineRule } from "../draft-rule.ts";

export const yamlTooDeep = defineRule({
  code: "yaml-too-deep",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter is nested more than 20 levels deep.",
  explanation:
    "Deep nesting is used to exhaust parsers. The deepest of fifteen thousand public skills has six levels.",
  example: {
    bad: "tags: [[[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]]",
    good: "tags: [x]",
  },
});
