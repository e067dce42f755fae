import { estimateTokens } from "../body/estimate-tokens.ts";
import { outlineBody, withoutCode } from "../body/markdown.ts";
import { defineRule, valueSpan } from "../draft.ts";

const bodyEmpty = defineRule({
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

const MAX_BODY_LINES = 500;

const bodyTooLong = defineRule({
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

const MAX_BODY_TOKENS = 5000;

const bodyTooManyTokens = defineRule({
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

/** Words that introduce an occasion, in the languages most skills are written in. */
const WHEN =
  /\b(?:when|whenever|while|if|before|after|during|upon|trigger(?:s|ed)?|use(?:d|ful)?\s+(?:this|it|for|to|on|by|as|in|with)|invoke[ds]?|helps?\s+(?:with|users?|you)|for\s+(?:tasks?|requests?|questions?|working|creating|writing))\b|当|時|时|场景|場合|场合|用于|適用|适用|とき|際に|경우|때|(?<!\p{L})(?:cuando|quando|quand|lorsque|wenn|когда|при)(?!\p{L})/iu;

const descriptionWithoutWhen = defineRule({
  code: "description-without-when",
  severity: "warning",
  summary: "The description does not say when to use the skill.",
  explanation:
    'A model chooses by the description alone. "Extracts text from PDF files" tells what it does; "Use when a PDF must be read, filled in or merged" tells when to choose it.',
  example: {
    bad: "description: Extracts text from PDF files.",
    good: "description: Extracts text from PDF files. Use when a PDF must be read or filled in.",
  },
  lint({ description }, draft, report) {
    if (description === "" || WHEN.test(description)) return;
    report(draft.spanOf(valueSpan(draft, "description")), {
      message: "the description does not say when to use the skill",
      hint: 'add a sentence such as "Use when …"',
    });
  },
});

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

const sectionMissing = defineRule({
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

/** Marks at the start of a line or of a bracket: prose may speak of a TODO. */
const PLACEHOLDER =
  /(?:^[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(?:\*\*)?|\[|<)(?:TODO|TBD|FIXME)\b(?=[ \t]*[:\]>])/m;

const placeholder = defineRule({
  code: "placeholder",
  severity: "warning",
  strict: "error",
  summary: "The skill has text that still has to be written.",
  explanation:
    "`skillwright new` marks what only the author knows with `TODO:`. A model would follow the placeholder, or be confused by it. Marks in the middle of a sentence and in code do not count.",
  example: { bad: "1. TODO: describe the first step.", good: "1. Read the dates in the file." },
  lint({ description, body }, draft, report) {
    const hint = "write what belongs there, or remove it";
    if (PLACEHOLDER.test(description)) {
      const message = "the description is a placeholder";
      report(draft.spanOf(valueSpan(draft, "description")), { message, hint });
    }
    const match = PLACEHOLDER.exec(withoutCode(body));
    if (match === null) return;
    const end = draft.parts.bodyStart + match.index + match[0].length;
    const start = end - 4;
    report({ start, end }, { message: "the body has a placeholder", hint });
  },
});

/** At the start of a sentence, so that quoted requests of users do not count. */
const FIRST_PERSON =
  /(?:^|[.!?]\s+)(?:I|We)(?:\s+(?:am|are|can|could|create|do|help|make|use|will|write)\b|['’](?:ll|m|re|ve)\b)/;

const descriptionFirstPerson = defineRule({
  code: "description-first-person",
  severity: "warning",
  summary: "The description speaks in the first person.",
  explanation:
    'The description is part of the prompt of a model, where "I" is the model. Describe the skill in the third person.',
  example: {
    bad: "description: I can format dates. Use when …",
    good: "description: Formats dates. Use when …",
  },
  lint({ description }, draft, report) {
    const match = FIRST_PERSON.exec(description);
    if (match === null) return;
    report(draft.spanOf(valueSpan(draft, "description")), {
      message: `"${match[0].replace(/^[.!?]\s+/, "")}" speaks in the first person`,
      hint: 'say what the skill does: "Formats dates."',
    });
  },
});

const WINDOWS_PATH = /(?<![\w\\/])(?:scripts|references?|assets)(?:\\[\w.-]+)+/;

const windowsPath = defineRule({
  code: "path-windows",
  severity: "warning",
  summary: "The body names a file with backslashes.",
  explanation: "Paths with backslashes work on Windows only. Forward slashes work everywhere.",
  example: { bad: "Run scripts\\format.py.", good: "Run scripts/format.py." },
  lint({ body }, { parts }, report) {
    const match = WINDOWS_PATH.exec(body);
    if (match === null) return;
    const start = parts.bodyStart + match.index;
    const path = match[0].replaceAll("\\", "/");
    report(
      { start, end: start + match[0].length },
      { message: `\`${match[0]}\` has backslashes`, hint: `write \`${path}\`` },
    );
  },
});

export const qualityRules = [
  bodyEmpty,
  bodyTooLong,
  bodyTooManyTokens,
  descriptionFirstPerson,
  descriptionWithoutWhen,
  windowsPath,
  placeholder,
  sectionMissing,
] as const;
