import { defineRule } from "../draft-rule.ts";
import { estimateTokens } from "../../body/estimate-tokens.ts";

const MAX_BODY_TOKENS = 5000;

export const bodyTooManyTokens = defineRule({
  code: "body-too-many-tokens",
  severity: "warning",
  summary: "The body has more than about 5,000 tokens.",
  explanation:
    "Every use of the skill pays for its whole body. Move tables, examples and background into files under `references/`. The count is an estimate.",
  example: {
    bad: "… 40 KB of examples in SKILL.md …",
    good: "SKILL.md with the steps, examples in references/EXAMPLES.md",
  },
  lint({ body }, { parts }, report) {
    const tokens = estimateTokens(body);
    if (tokens <= MAX_BODY_TOKENS) return;
    report(
      { start: parts.bodyStart, end: parts.bodyStart },
      {
        message: `the body has about ${tokens} tokens, ${MAX_BODY_TOKENS} are recommended at most`,
        hint: "move details into files under `references/` and link them",
      },
    );
  },
});
