import { groupBy } from "../group-by.ts";
import { quoteLine, truncate } from "@skillwright/core/internal";
import type { CaseFlip } from "../compare/find-flips.ts";
import type { AnswerPreference, EvalResults, TrialResult } from "../results/eval-results.ts";
import { formatDifference, formatProbability } from "../statistics/format-numbers.ts";
import type { Rate } from "../statistics/rates.ts";
import { caseWinner } from "../summary/summarize-preferences.ts";
import {
  armLabel,
  numberText,
  percentText,
  preferenceText,
  rangeText,
  type ReportInput,
  timeText,
} from "./report-text.ts";

const MAX_TEXT = 10_000;

/**
 * Text as text, also in a cell of a table: no emphasis, no link, no HTML, and nobody is called. An empty
 * width after `@` and `#` keeps the host of a pull request from making a mention or a reference of it.
 */
export function escapeMarkdown(text: string): string {
  return quoteLine(text, MAX_TEXT)
    .replaceAll("&", "&amp;")
    .replaceAll(/[\\`*_[\]~$!]/g, String.raw`\$&`)
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;")
    .replaceAll("://", "&#58;//")
    .replaceAll(/www\./gi, (match) => `${match.slice(0, 3)}&#46;`)
    .replaceAll(/@/g, "&#64;&#8203;")
    .replaceAll(/(?<!&)#/g, "&#35;&#8203;");
}

/** For names that are copied; not in a table, where a pipe would end the cell. */
export function codeSpan(text: string): string {
  const line = quoteLine(text, MAX_TEXT);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = line.startsWith("`") || line.endsWith("`") || line === "" ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

const SIGNS = {
  pass: "✅ Pass",
  fail: "❌ Fail",
  inconclusive: "❔ Inconclusive",
  errors: "⚠️ Errors",
  "no-data": "➖ No data",
  same: "✅ Not worse",
  better: "✅ Better",
  regression: "❌ Regression",
} as const;

/** For a pull request: the verdict, the numbers with what they rest on, what flipped, what to do. Short. */
export function markdownReport(input: ReportInput): string {
  const { results, summary, comparison } = input;
  const { status, sentence, next } = comparison ?? summary.verdict;
  const blocks = [
    [`## ${SIGNS[status]}`, "", said(sentence)],
    comparison === undefined ? [] : [said(summary.verdict.sentence)],
    [`Next: ${codeSpan(next)}`],
    listed("", [...summary.verdict.notes, ...(comparison?.notes ?? [])].map(said), 4),
    armTable(input),
    skillTable(input),
    listed("Got worse", (comparison?.cases.regressions ?? []).map(flipLine), 5),
    listed("New or changed, and failing", (comparison?.cases.failing ?? []).map(idSpan), 5),
    listed("Got better", (comparison?.cases.improvements ?? []).map(flipLine), 2),
    problems(input, "fail", "Failed", comparison === undefined ? 6 : 2),
    problems(input, "error", "Errors", 3),
    listed("The judge prefers the other arm", lostCases(results).map(lostLine), 3),
    [footer(results)],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

function armTable({ summary }: ReportInput): string[] {
  const { verdict, output, cost } = summary;
  const rows = verdict.arms.map(({ arm, passed, errors }) => {
    const ofOutput = output.arms.find((checked) => checked.arm === arm)?.passed;
    const used = cost.arms.find((one) => one.arm === arm);
    const tokens = used?.tokens.p50 ?? null;
    const time = used?.timeMs.p50 ?? null;
    // Without the skill it can neither be selected nor followed.
    const all = arm === "without_skill" ? "–" : rateCell(passed);
    return row([
      armLabel(arm),
      all,
      ofOutput === undefined || ofOutput.n === 0 ? "–" : rateCell(ofOutput),
      `${errors}`,
      tokens === null ? "–" : numberText(tokens),
      time === null ? "–" : timeText(time),
    ]);
  });
  const paired = verdict.paired.map(
    ({ second, difference, test }) =>
      `- against ${armLabel(second)}: ${formatDifference(difference)}, p ${formatProbability(test.p)}.`,
  );
  const preferred = (summary.preferences ?? []).map(
    (one) => `- judge, against ${armLabel(one.other)}: ${escapeMarkdown(preferenceText(one))}.`,
  );
  const beside = [...paired, ...preferred];
  const head = row([
    "Arm",
    "Everything passed",
    "Output passed",
    "Errors",
    "Tokens p50",
    "Time p50",
  ]);
  return [
    head,
    row(["---", "---", "---", "--:", "--:", "--:"]),
    ...rows,
    ...(beside.length > 0 ? ["", ...beside] : []),
  ];
}

const MOST_SKILLS = 6;

function skillTable({ summary: { trigger } }: ReportInput): string[] {
  if (trigger.n === 0) return [];
  const sorted = trigger.skills.toSorted((a, b) => (a.f1.value ?? 2) - (b.f1.value ?? 2));
  const rows = sorted
    .slice(0, MOST_SKILLS)
    .map(({ skill, precision, recall, f1 }) =>
      row([short(skill), rateCell(precision), rateCell(recall), rateCell(f1)]),
    );
  const more = sorted.length - rows.length;
  return [
    row(["Skill", "Precision", "Recall", "F1"]),
    row(["---", "---", "---", "---"]),
    row([
      "**all**",
      rateCell(trigger.overall.precision),
      rateCell(trigger.overall.recall),
      rateCell(trigger.overall.f1),
    ]),
    ...rows,
    ...(more > 0 ? ["", `and ${more} more skills with a higher F1`] : []),
  ];
}

function problems(
  { results, summary }: ReportInput,
  outcome: "fail" | "error",
  title: string,
  most: number,
): string[] {
  const [own] = summary.verdict.arms;
  const bad = new Map<string, TrialResult>();
  for (const trial of results.trials) {
    const isBad = trial.arm === own?.arm && trial.outcome === outcome;
    if (isBad && !bad.has(trial.caseId)) bad.set(trial.caseId, trial);
  }
  const ordered = [...bad.values()].sort((a, b) => (a.caseId < b.caseId ? -1 : 1));
  return listed(title, ordered.map(problemLine), most);
}

function problemLine({ caseId, error, grades }: TrialResult): string {
  const bad = grades.find(({ outcome }) => outcome === "fail" || outcome === "error");
  // An alignment in several lines cannot be read in one.
  const evidence = bad === undefined || bad.evidence.includes("\n") ? "" : `: ${bad.evidence}`;
  const reason =
    error === undefined ? `${bad?.text ?? ""}${evidence}` : `${error.code}: ${error.message}`;
  return `${idSpan(caseId)} ${short(reason, 140)}`;
}

/** Of each case the first comparison that says why. */
function lostCases({ preferences = [] }: EvalResults): AnswerPreference[] {
  const groups = groupBy(preferences, ({ other, caseId }) => JSON.stringify([other, caseId]));
  const lost = [...groups.values()].filter((all) => caseWinner(all) === "second");
  return lost.flatMap((all) => all.find((one) => "winner" in one && one.winner === "second") ?? []);
}

function lostLine(preference: AnswerPreference): string {
  const evidence = "evidence" in preference ? preference.evidence : "";
  return `${idSpan(preference.caseId)} ${short(`${armLabel(preference.other)}: ${evidence}`, 140)}`;
}

function idSpan(caseId: string): string {
  return codeSpan(truncate(caseId, 80));
}

function flipLine({ caseId, before, now, checks }: CaseFlip): string {
  const shares = `${before.passed} of ${before.judged} → ${now.passed} of ${now.judged}`;
  const why = checks.length > 0 ? `: ${short(checks.join("; "), 140)}` : "";
  return `${idSpan(caseId)} ${shares}${why}`;
}

function listed(title: string, items: readonly string[], most: number): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, most).map((item) => `- ${item}`);
  const more = items.length > most ? [`- and ${items.length - most} more`] : [];
  return [...(title === "" ? [] : [`**${title}** (${items.length})`]), ...shown, ...more];
}

function footer({ setup, id }: EvalResults): string {
  const parts = [
    `model ${setup.model}`,
    ...(setup.judge === undefined ? [] : [`judge ${setup.judge}`]),
    `seed ${setup.seed}`,
    `${setup.trials} per case`,
    `cases ${setup.casesDigest.slice(0, 19)}`,
    `skillwright ${setup.version}`,
    setup.platform,
    id,
  ];
  return `<sub>${parts.map((part) => short(part, 60)).join(" · ")}</sub>`;
}

function rateCell(rate: Pick<Rate, "value" | "low" | "high" | "n">): string {
  if (rate.value === null) return "– (n = 0)";
  return `${percentText(rate.value).replace("<", "&lt;")} (${rangeText(rate)}, n = ${numberText(rate.n)})`;
}

function said(sentence: string): string {
  return short(sentence, 600);
}

function short(text: string, length = 60): string {
  return escapeMarkdown(truncate(text, length));
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
