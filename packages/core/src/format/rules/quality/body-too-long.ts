import { defineRule } from "../draft-rule.ts";

const MAX_BODY_LINES = 500;

export const bodyTooLong = defineRule({
  code: "body-too-long",
  severity: "warning",
  summary: "The body is longer than 500 lines.",
  explanation:
    "The whole body enters the conversation when the skill is used. Keep the procedure here and move details into files under `references/`, which are read only when needed.",
  example: {
    bad: "… 900 lines in SKILL.md …",
    good: "SKILL.md with the steps, details in references/FORMS.md",
  },
  lint({ body }, { parts }, report) {
    const lines = body.trimEnd().split("\n").length;
    if (lines <= MAX_BODY_LINES) return;
    report(
      { start: parts.bodyStart, end: parts.bodyStart },
      {
        message: `the body has ${lines} lines, ${MAX_BODY_LINES} are recommended at most`,
        hint: "move details into files under `references/` and link them",
      },
    );
  },
});
