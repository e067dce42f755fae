import { defineRule, valueSpan } from "../draft-rule.ts";

const OVERREACH =
  /\b(?:always|must)\s+(?:use|invoke|load|activate|call|run)\s+this\s+(?:skill|first)\b|\b(?:use|useful|invoke|works?|needed|required)\s+(?:this\s+skill\s+)?(?:for|in|on)\s+(?:(?:everything|anything)(?!\s+(?:about|concerning|from|in|involving|on|related|that|to|with))|(?:all|any|every|each)\s+(?:tasks?|requests?|questions?|prompts?|conversations?|messages?|situations?))\b|\b(?:before|instead of)\s+(?:using\s+)?(?:any|every|all)\s+other\s+skills?\b|(?:所有|任何|一切)(?:任务|请求|问题|情况)(?:都|均)/i;

export const descriptionOverreach = defineRule({
  code: "description-overreach",
  severity: "warning",
  summary: "The description claims every task.",
  explanation:
    '"Always use this skill" makes a model load it for requests it cannot serve, and pushes out the skills that can. Name the situations it is for.',
  example: {
    bad: "description: Always use this skill for every task.",
    good: "description: Formats dates. Use when a date must be written out.",
  },
  lint({ description }, draft, report) {
    const match = OVERREACH.exec(description);
    if (match === null) return;
    report(draft.spanOf(valueSpan(draft, "description")), {
      message: `"${match[0]}" asks to be used for everything`,
      hint: "name the situations the skill is for",
    });
  },
});
