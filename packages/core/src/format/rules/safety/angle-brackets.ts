import { defineRule, valueSpan } from "../draft-rule.ts";

export const angleBrackets = defineRule({
  code: "angle-brackets",
  severity: "error",
  effect: "hidden",
  summary: "The name or description holds `<` or `>`.",
  explanation:
    "Both are put into the model's prompt, where markup could pass for instructions of the system. Such a skill is listed for people and kept from models. Setting `security.block_angle_brackets_in_frontmatter` to false shows it with the characters escaped instead.",
  example: {
    bad: "description: Converts <table> elements to CSV. Use when …",
    good: "description: Converts HTML tables to CSV. Use when …",
  },
  check(skill, draft, report) {
    for (const key of ["name", "description"] as const) {
      if (!/[<>]/.test(skill[key])) continue;
      report(valueSpan(draft, key), {
        message: `the ${key} holds \`<\` or \`>\` and is kept from models`,
        hint: 'say it in words: "at least 3" for ">= 3", "table elements" for the tag',
      });
    }
  },
});
