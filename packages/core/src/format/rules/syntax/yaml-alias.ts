import { defineRule } from "../draft-rule.ts";

export const yamlAlias = defineRule({
  code: "yaml-alias",
  severity: "error",
  effect: "skipped",
  summary: "The frontmatter uses a YAML alias.",
  explanation:
    "Aliases can make a few bytes expand into gigabytes, and no skill needs them. Write the value out.",
  example: {
    bad: "author: &me Ada\nmaintainer: *me",
    good: "author: Ada\nmaintainer: Ada",
  },
});
