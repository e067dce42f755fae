import { type ConformanceCase, FULL_BODY, fileOf } from "./conformance-case.ts";

/** Read with `lintSkillText`. Quality is advice: strict mode changes nothing and all load. */
const row = (
  id: string,
  { description = "Formats dates. Use when a date is asked for.", body = FULL_BODY },
  rest: Partial<ConformanceCase> = {},
): ConformanceCase => ({
  id,
  requirement: "F-09",
  text: fileOf(`name: dates\ndescription: ${description}`, body),
  lint: true,
  strict: true,
  codes: [],
  loaded: true,
  ...rest,
});

const linesOf = (count: number) => FULL_BODY + "- step\n".repeat(count - 14);
const section = (title: string) => FULL_BODY.replace("## Goal", `## ${title}`);
const without = (title: string) => FULL_BODY.replace(`## ${title}\n\n`, "");
const missing = { codes: ["info:section-missing"], at: [5, 1] } as const;

export const qualityCases: readonly ConformanceCase[] = [
  row("a skill with nothing to add", {}),
  row("no body", { body: "" }, { codes: ["warning:body-empty"], at: [5, 1] }),
  row("a blank body", { body: "\n \n" }, { codes: ["warning:body-empty"] }),
  row("500 lines", { body: linesOf(500) }),
  row("501 lines", { body: linesOf(501) }, { codes: ["warning:body-too-long"], at: [5, 1] }),
  row("blank lines at the end do not count", { body: `${linesOf(500)}\n\n\n` }),
  row("about 4,000 tokens", { body: FULL_BODY + "word ".repeat(4000) }),
  row(
    "about 6,000 tokens",
    { body: FULL_BODY + "word ".repeat(6000) },
    {
      codes: ["warning:body-too-many-tokens"],
      at: [5, 1],
    },
  ),
  row(
    "a description without a when",
    { description: "Formats dates." },
    {
      codes: ["warning:description-without-when"],
      at: [3, 14],
    },
  ),
  ...[
    "Formats dates. Use when asked.",
    "Use this skill to format dates.",
    "Formats dates if a report needs them.",
    'Formats dates. Triggers on "date".',
    "格式化日期。当用户要求时使用。",
    "日付を整形する。レポート作成時に使う。",
    "Formatea fechas. Úsalo cuando haga falta.",
    "Formatiert Daten, wenn ein Bericht sie braucht.",
  ].map((description) =>
    row(`a when: ${description}`, { description: JSON.stringify(description) }),
  ),
  row("no section at all", { body: "Format the date.\n" }, missing),
  ...["Goal", "Inputs", "Steps", "Failure", "Checklist", "Resources"].map((title) =>
    row(`no section ${title}`, { body: without(title) }, missing),
  ),
  row("a section named in other words", { body: section("Purpose of this skill") }),
  row("a section in Chinese", { body: section("目标") }),
  row("a section underlined", { body: FULL_BODY.replace("## Goal", "Goal\n----") }),
  row(
    "a section in code does not count",
    { body: FULL_BODY.replace("## Goal", "```\n## Goal\n```") },
    missing,
  ),
  ...["1. TODO: describe the step.", "- [TODO] more", "TODO: all of it"].map((line) =>
    row(
      `a placeholder: ${line}`,
      { body: `${FULL_BODY}${line}\n` },
      { codes: ["error:placeholder"], loaded: false },
    ),
  ),
  ...["Find TODO comments.", "List each TODO: the word counts.", "```\nTODO: in code\n```"].map(
    (line) => row(`no placeholder: ${line}`, { body: `${FULL_BODY}${line}\n` }),
  ),
  row(
    "a description that is a placeholder",
    { description: JSON.stringify("TODO: what it does. Use when asked.") },
    { codes: ["error:placeholder"], at: [3, 15], loaded: false },
  ),
  ...["I can format dates when asked.", "Formats dates. I'll help when asked."].map((description) =>
    row(
      `first person: ${description}`,
      { description: JSON.stringify(description) },
      { codes: ["warning:description-first-person"], at: [3, 15] },
    ),
  ),
  row("a quoted request is not the first person", {
    description: JSON.stringify('Formats dates. Use when the user says "I need a date".'),
  }),
  row(
    "a path with backslashes",
    { body: `${FULL_BODY}Run scripts\\format.py.\n` },
    { codes: ["warning:path-windows"] },
  ),
];
