import { defineRule } from "../draft-rule.ts";
import { outlineBody } from "../../body/outline-body.ts";

const SECTIONS: readonly (readonly [string, RegExp])[] = [
  ["Goal", /\b(?:goals?|purpose|overview|objectives?|about|introduction)\b|目标|目的|概述/i],
  ["IO", /\b(?:io|i\/o|inputs?|outputs?|contract|arguments?|parameters?|usage)\b|输入|输出|用法/i],
  [
    "Steps",
    /\b(?:steps?|workflow|procedure|process|instructions?|how\s+to|quick\s*start)\b|步骤|流程/i,
  ],
  [
    "Failure",
    /\b(?:fail(?:s|ures?|ing)?|errors?|troubleshooting|edge\s+cases?|problems?|pitfalls?)\b|失败|错误|异常/i,
  ],
  [
    "Checklist",
    /\b(?:checklists?|checks?|verif(?:y|ication)|validation|acceptance|done)\b|自检|验收|检查/i,
  ],
  ["Resources", /\b(?:resources?|references?|files|scripts|assets|links|see\s+also)\b|资源|参考/i],
];

export const sectionMissing = defineRule({
  code: "section-missing",
  severity: "info",
  summary: "The body lacks recommended sections.",
  explanation:
    "A skill that names its goal, inputs and outputs, steps, failure cases, a checklist and its resources is easier to follow, to test and to review. Headings in English or Chinese count, in any order and wording close to these.",
  example: {
    bad: "# Format dates\n\nFormat the date as asked.",
    good: "# Format dates\n\n## Goal\n…\n## Inputs and outputs\n…\n## Steps\n…\n## Failure cases\n…\n## Checklist\n…\n## Resources\n…",
  },
  lint({ body, bodyLine }, { parts }, report) {
    const titles = outlineBody(body, bodyLine).map(({ title }) => title);
    const missing = SECTIONS.filter(([, pattern]) => !titles.some((title) => pattern.test(title)));
    if (missing.length === 0 || body.trim() === "") return;
    report(
      { start: parts.bodyStart, end: parts.bodyStart },
      { message: `recommended sections are missing: ${missing.map(([name]) => name).join(", ")}` },
    );
  },
});
