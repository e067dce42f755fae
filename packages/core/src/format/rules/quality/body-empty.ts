import { defineRule } from "../draft-rule.ts";

export const bodyEmpty = defineRule({
  code: "body-empty",
  severity: "warning",
  summary: "The skill has no body.",
  explanation:
    "The body is what a model gets when it uses the skill; with none it learns nothing beyond the description.",
  example: {
    bad: "---\nname: format-dates\ndescription: Formats dates.\n---",
    good: "---\nname: format-dates\ndescription: Formats dates. Use when …\n---\n\n1. Read the date.",
  },
  lint({ body }, { parts }, report) {
    if (body.trim() !== "") return;
    report(
      { start: parts.bodyStart, end: parts.bodyStart },
      { message: "the body is empty", hint: "write down the steps a model should follow" },
    );
  },
});
