import { defineRule, valueSpan } from "../draft-rule.ts";

const PLAIN = /^[a-z0-9-]*$/;

const LOOKALIKE_SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
];

export const nameConfusable = defineRule({
  code: "name-confusable",
  severity: "warning",
  strict: "error",
  summary: "The name mixes scripts whose letters look alike.",
  explanation:
    "A Cyrillic `а` in `pаypal` makes another name that looks the same. Use letters of one script.",
  example: {
    bad: "name: dаta-analysis  # the second letter is Cyrillic",
    good: "name: data-analysis",
  },
  check({ name }, draft, report) {
    if (PLAIN.test(name)) return;
    const scripts = LOOKALIKE_SCRIPTS.filter(([, pattern]) => pattern.test(name));
    if (scripts.length < 2) return;
    const named = scripts.map(([script]) => script).join(" and ");
    report(valueSpan(draft, "name"), { message: `the name mixes ${named} letters` });
  },
});
