import {
  displayWidth,
  plural,
  quoteLine,
  truncateWidth,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import type { CaseFlip } from "../compare/find-flips.ts";
import type { TrialResult } from "../results/eval-results.ts";
import type { Rate } from "../statistics/rates.ts";
import type { CaseInArm } from "../summary/eval-summary.ts";
import type { TriggerScores, TriggerSummary } from "../trigger/trigger-summary.ts";
import {
  armLabel,
  numberText,
  percentText,
  preferenceText,
  rangeText,
  type ReportInput,
  timeText,
} from "./report-text.ts";

/** Breaks between words; a word that is wider than a line is cut. */
function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) line = longer;
    else {
      if (line !== "") lines.push(line);
      line = truncateWidth(word, width);
    }
  }
  return line === "" ? lines : [...lines, line];
}

function padLine(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** How a host colours text; that of the command line fits. */
export interface ReportColors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
}

const same = (text: string) => text;

const plainColors: ReportColors = {
  bold: same,
  dim: same,
  red: same,
  yellow: same,
  green: same,
};

const MOST_SKILLS = 8;
const MAX_QUERY = 200;
const COLUMN = 27;

/** The skills that are selected worst, with intervals and how many cases they rest on. */
function triggerLines(trigger: TriggerSummary, width: number, colors: ReportColors): string[] {
  if (trigger.n === 0) return [];
  const sorted = trigger.skills.toSorted((a, b) => (a.f1.value ?? 2) - (b.f1.value ?? 2));
  const shown = sorted.slice(0, MOST_SKILLS);
  const names = ["all skills", ...shown.map(({ skill }) => quoteLine(skill, MAX_QUERY))];
  const first =
    Math.min(Math.max(...names.map(displayWidth)), Math.max(12, width - 2 * COLUMN - 2)) + 2;
  const row = (name: string, { precision, recall }: TriggerScores) =>
    truncateWidth(
      padLine(truncateWidth(name, first - 2), first) +
        padLine(shortRate(precision), COLUMN) +
        shortRate(recall),
      width,
    );
  const more = sorted.length - shown.length;
  return [
    colors.bold(
      truncateWidth(`${padLine("selected", first)}${padLine("precision", COLUMN)}recall`, width),
    ),
    row("all skills", trigger.overall),
    ...shown.map((scores) => row(quoteLine(scores.skill, MAX_QUERY), scores)),
    ...(more > 0 ? [`and ${more} more skills with a higher F1`] : []),
  ];
}

function shortRate(rate: TriggerScores["precision"]): string {
  if (rate.value === null) return "– n=0";
  return `${percentText(rate.value)} (${rangeText(rate)}) n=${numberText(Math.round(rate.n * 10) / 10)}`;
}

export interface TerminalOptions {
  /** Columns; 80 unless told. */
  readonly width?: number;
  readonly colors?: ReportColors;
}

const MOST = 10;
const MAX_TEXT = 10_000;
const VERDICTS = {
  pass: { sign: "✓", color: "green" },
  fail: { sign: "✗", color: "red" },
  inconclusive: { sign: "?", color: "yellow" },
  errors: { sign: "!", color: "red" },
  "no-data": { sign: "–", color: "yellow" },
  same: { sign: "✓", color: "green" },
  better: { sign: "✓", color: "green" },
  regression: { sign: "✗", color: "red" },
} as const;

const OPTIONS: OptionKinds<TerminalOptions> = { width: "number", colors: "object" };

/** Lines for a terminal, none wider than it; the last one is the verdict. */
export function terminalSummary(
  input: ReportInput,
  options: TerminalOptions = {},
): readonly string[] {
  checkOptions("terminalSummary", options, OPTIONS);
  const { width = 80, colors = plainColors } = options;
  const { summary, comparison } = input;
  const blocks = [
    armLines(input, width),
    preferenceLines(input, width),
    triggerLines(summary.trigger, width, colors),
    costLines(input, width),
    problemLines(input, width, colors),
    flipLines("Worse than before", comparison?.cases.regressions ?? [], width, colors),
    flipLines("Better than before", comparison?.cases.improvements ?? [], width, colors),
    noteLines(input, width, colors),
    verdictLines(input, { width, colors }),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at === 0 ? block : ["", ...block]));
}

/** Without the skill it can neither be selected nor followed: only what came out counts. */
function armLines({ summary }: ReportInput, width: number): string[] {
  const rows = summary.verdict.arms.map(({ arm, passed, errors }) => {
    const output = summary.output.arms.find((checked) => checked.arm === arm)?.passed;
    const isBare = arm === "without_skill" && output !== undefined;
    return {
      label: `${armLabel(arm)}${isBare ? ", output" : ""}`,
      text: `${rateText(isBare ? output : passed)}${errors > 0 ? `, ${plural(errors, "error")}` : ""}`,
    };
  });
  const first = Math.max(0, ...rows.map(({ label }) => label.length)) + 2;
  return rows.map(({ label, text }) => truncateWidth(`${padLine(label, first)}${text}`, width));
}

/** What the judge prefers; the sentence about it is among the notes. */
function preferenceLines({ summary }: ReportInput, width: number): string[] {
  return (summary.preferences ?? []).map((one) =>
    truncateWidth(`judge, against ${armLabel(one.other)}  ${preferenceText(one)}`, width),
  );
}

function rateText(rate: Rate): string {
  if (rate.value === null) return "nothing judged";
  const trials = rate.trials > rate.n ? `, ${plural(rate.trials, "trial")}` : "";
  return `${percentText(rate.value)} (95 % interval ${rangeText(rate)}), ${plural(rate.n, "case")}${trials}`;
}

function costLines({ summary }: ReportInput, width: number): string[] {
  return summary.cost.arms.flatMap(({ arm, tokens, timeMs, toolCalls }) => {
    if (tokens.p50 === null || timeMs.p50 === null || toolCalls.p50 === null) return [];
    const used = `${numberText(tokens.p50)} tokens (p95 ${numberText(tokens.p95 ?? 0)}), ${timeText(timeMs.p50)} (p95 ${timeText(timeMs.p95 ?? 0)})`;
    return [truncateWidth(`${padLine(`cost ${armLabel(arm)}`, 26)}${used}`, width)];
  });
}

function problemLines(
  { results, summary }: ReportInput,
  width: number,
  colors: ReportColors,
): string[] {
  const [own] = summary.verdict.arms;
  const trials = new Map<string, TrialResult>();
  for (const trial of results.trials) {
    const isBad = trial.arm === own?.arm && (trial.outcome === "fail" || trial.outcome === "error");
    if (isBad && !trials.has(trial.caseId)) trials.set(trial.caseId, trial);
  }
  const bad = summary.cases.flatMap((one) => {
    const inArm = one.arms.find(({ arm }) => arm === own?.arm);
    const trial = trials.get(one.id);
    return inArm === undefined || trial === undefined ? [] : [{ inArm, trial }];
  });
  const lines = bad.slice(0, MOST).flatMap(({ inArm, trial }) => {
    const isError = inArm.outcome === "error";
    const head = `${isError ? "!" : "✗"} ${quoteLine(trial.caseId, MAX_TEXT)}${shareOf(inArm)}`;
    const color = isError ? colors.yellow : colors.red;
    return [
      color(truncateWidth(head, width)),
      colors.dim(truncateWidth(`  ${reasonOf(trial)}`, width)),
    ];
  });
  return bad.length > MOST ? [...lines, `  and ${bad.length - MOST} more`] : lines;
}

function shareOf({ passed, judged }: CaseInArm): string {
  return judged > 1 ? `  ${passed} of ${judged} trials passed` : "";
}

function reasonOf({ error, grades }: TrialResult): string {
  if (error !== undefined) return quoteLine(`${error.code}: ${error.message}`, MAX_TEXT);
  const bad = grades.find(({ outcome }) => outcome === "fail" || outcome === "error");
  if (bad === undefined) return "";
  // An alignment in several lines cannot be read in one.
  const evidence = bad.evidence === "" || bad.evidence.includes("\n") ? "" : `; ${bad.evidence}`;
  return quoteLine(`${bad.metric}: ${bad.text}${evidence}`, MAX_TEXT);
}

function flipLines(
  title: string,
  flips: readonly CaseFlip[],
  width: number,
  colors: ReportColors,
): string[] {
  if (flips.length === 0) return [];
  const lines = flips.slice(0, MOST).map(({ caseId, before, now }) => {
    const shares = `${before.passed} of ${before.judged} → ${now.passed} of ${now.judged}`;
    return truncateWidth(`  ${padLine(shares, 18)} ${quoteLine(caseId, MAX_TEXT)}`, width);
  });
  const more = flips.length > MOST ? [`  and ${flips.length - MOST} more`] : [];
  return [colors.bold(`${title} (${flips.length})`), ...lines, ...more];
}

function noteLines(
  { summary, comparison }: ReportInput,
  width: number,
  colors: ReportColors,
): string[] {
  const notes = [...summary.verdict.notes, ...(comparison?.notes ?? [])];
  return notes.flatMap((note) =>
    wrapLine(quoteLine(note, MAX_TEXT), width - 2).map((line, at) =>
      colors.dim(`${at === 0 ? "·" : " "} ${line}`),
    ),
  );
}

/** A sentence too long for the last line is above it in full; the line then still names what decided. */
export function verdictLines(
  { summary, comparison }: Pick<ReportInput, "summary" | "comparison">,
  { width = 80, colors = plainColors }: TerminalOptions = {},
): string[] {
  const { status, sentence, next } = comparison ?? summary.verdict;
  const { model, isSmokeTest } = summary.verdict;
  const { sign, color } = VERDICTS[status];
  const said = quoteLine(sentence, MAX_TEXT);
  const whole = `${sign} ${status.toUpperCase()}  ${said}`;
  const isWhole = displayWidth(whole) <= width;
  const label = ` (${isSmokeTest ? "smoke test" : quoteLine(model, MAX_TEXT)})`;
  const room = Math.max(width - displayWidth(label), displayWidth(`${sign} ${status}`));
  const short = `${truncateWidth(whole, room).trimEnd()}${label}`;
  const line = isWhole ? whole : truncateWidth(short, width);
  const cases =
    comparison === undefined ? [] : wrapLine(quoteLine(summary.verdict.sentence, MAX_TEXT), width);
  return [
    ...cases,
    ...(isWhole ? [] : wrapLine(said, width)),
    colors.dim(truncateWidth(`Next: ${next}`, width)),
    colors[color](line),
  ];
}
