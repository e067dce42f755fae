import { truncate } from "@skillwright/core/internal";
import type { TrialResult } from "../../results/eval-results.ts";
import { OUTPUT_METRICS } from "../../summary/summarize-checks.ts";
import type { TrajectoryStep } from "../../trajectory/trajectory.ts";
import { caseKinds, outcomeDetail } from "./cases-section.ts";
import type { CaseOnSide, ReportCase, ReportSide } from "./report-side.ts";
import { scriptJson } from "./markup.ts";

/** How much of a trial is kept in the report. */
interface Detail {
  readonly text: number;
  readonly steps: number;
  readonly grades: number;
}

export interface ReportData {
  /** For a script element: what the browser script shows when a case is opened. */
  readonly json: string;
  /** Said to the reader; undefined when nothing was left out that the results have. */
  readonly note: string | undefined;
}

/** With rows and sections, a report of this opens in less than a second. */
const MAX_BYTES = 6_000_000;
/** Names in rows of cases without details, so that 100,000 of them take less than 20 MB. */
const MAX_NAME = 80;
/** Nobody reads more of one case. */
const MOST_TRIALS = 20;

/** The first that fits: a report that a browser cannot open shows nothing at all. */
const DETAILS: readonly Detail[] = [
  { text: 100_000, steps: 1000, grades: 500 },
  { text: 6000, steps: 300, grades: 100 },
  { text: 1000, steps: 100, grades: 40 },
  { text: 350, steps: 40, grades: 20 },
  { text: 80, steps: 8, grades: 6 },
];

/** A row for each case, and details of as many of the first cases as there is room for. */
export function reportData(
  sides: readonly ReportSide[],
  cases: readonly ReportCase[],
  maximumBytes = MAX_BYTES,
): ReportData {
  const labels = sides.map(({ label }) => label);
  const { parts, note } = detailsWithin(cases, maximumBytes);
  const rows = cases.map((one) => scriptJson(caseRow(one)));
  const json = `{"sides":${scriptJson(labels)},"rows":[${rows.join(",\n")}],"cases":[${parts.join(",\n")}]}`;
  return { json, note };
}

function detailsWithin(cases: readonly ReportCase[], maximumBytes: number) {
  for (const detail of DETAILS) {
    const { parts, isCut } = partsWithin(cases, detail, maximumBytes);
    if (parts.length === cases.length) return { parts, note: isCut ? noteOf(detail) : undefined };
  }
  const least = DETAILS.at(-1) as Detail;
  const { parts } = partsWithin(cases, least, maximumBytes);
  const count = parts.length.toLocaleString("en-US");
  const note = `${noteOf(least)} Details are here for the first ${count} cases; the others have only their row.`;
  return { parts, note };
}

/** One JSON text for each case, until they are too many bytes. */
function partsWithin(cases: readonly ReportCase[], detail: Detail, maximumBytes: number) {
  const parts: string[] = [];
  let bytes = 0;
  let isCut = false;
  for (const one of cases) {
    const part = scriptJson(caseData(one, detail));
    bytes += Buffer.byteLength(part);
    if (bytes > maximumBytes) break;
    parts.push(part);
    isCut ||= isLong(one, detail);
  }
  return { parts, isCut };
}

/** An array, since there are many: id, title, kinds, and of each side the outcome and how often. */
function caseRow(one: ReportCase) {
  const { id, about, sides } = one;
  return [
    truncate(id, MAX_NAME),
    truncate(about.title, MAX_NAME),
    caseKinds(one),
    ...sides.map((side) => (side === undefined ? 0 : [side.outcome, outcomeDetail(side)])),
  ];
}

function caseData({ id, about, sides }: ReportCase, detail: Detail) {
  const { title, input, origin, tags, expectedSkills, isMock } = about;
  return {
    id: truncate(id, 500),
    title: truncate(title, 500),
    input: truncate(input, detail.text),
    file: truncate(`${origin.file}:${origin.line}`, 500),
    tags: tags.slice(0, 20).map((tag) => truncate(tag, 80)),
    expected: expectedSkills,
    mock: isMock,
    sides: sides.map((side) => (side === undefined ? null : sideData(side, detail))),
  };
}

function sideData({ arm, outcome, trials }: CaseOnSide, detail: Detail) {
  const counted = arm === "without_skill" ? OUTPUT_METRICS : undefined;
  const shown = shownTrials(trials);
  const moreTrials = trials.length - shown.length;
  return { outcome, counted, moreTrials, trials: shown.map((trial) => trialData(trial, detail)) };
}

/** Of many trials of a case, first those that did not pass; in their order. */
function shownTrials(trials: readonly TrialResult[]): readonly TrialResult[] {
  if (trials.length <= MOST_TRIALS) return trials;
  const bad = trials.filter(({ outcome }) => outcome !== "pass");
  const good = trials.filter(({ outcome }) => outcome === "pass");
  return [...bad, ...good].slice(0, MOST_TRIALS).sort((a, b) => a.trial - b.trial);
}

function trialData(trial: TrialResult, { text, steps, grades }: Detail) {
  const { error, usage } = trial;
  return {
    trial: trial.trial,
    outcome: trial.outcome,
    error: error && { code: error.code, message: truncate(error.message, text) },
    grades: trial.grades.slice(0, grades).map((grade) => ({
      metric: grade.metric,
      text: truncate(grade.text, text),
      outcome: grade.outcome,
      score: grade.score,
      evidence: truncate(grade.evidence, text),
    })),
    moreGrades: Math.max(0, trial.grades.length - grades),
    skills: trial.skills,
    answer: truncate(trial.answer, text),
    status: trial.status,
    steps: trial.steps.slice(0, steps).map((step) => stepData(step, text)),
    moreSteps: Math.max(0, trial.steps.length - steps),
    usage: [
      usage.inputTokens + usage.outputTokens,
      usage.toolCalls,
      usage.turns,
      usage.timeMs,
      usage.cost,
    ],
    runId: trial.runId,
  };
}

/** An array, since there are many: action, subject, ok, at, arguments, observation. */
function stepData(step: TrajectoryStep, text: number) {
  return [
    step.action,
    truncate(step.subject, 300),
    step.ok ? 1 : 0,
    Math.round(step.atMs),
    truncate(argumentText(step), text),
    truncate(step.observation, text),
  ];
}

function argumentText(step: TrajectoryStep): string {
  return JSON.stringify(step.arguments, null, 1);
}

function isLong({ sides }: ReportCase, { text, steps, grades }: Detail): boolean {
  const isLongTrial = (trial: TrialResult) =>
    trial.answer.length > text ||
    trial.input.length > text ||
    trial.steps.length > steps ||
    trial.grades.length > grades ||
    trial.grades.some((grade) => grade.evidence.length > text || grade.text.length > text) ||
    trial.steps.some((step) => step.observation.length > text || argumentText(step).length > text);
  return sides.some((side) => side?.trials.some(isLongTrial));
}

function noteOf({ text, steps, grades }: Detail): string {
  return `To keep this file small, texts are cut after ${text} characters, trials after ${steps} steps and ${grades} checks; the saved results have all of it.`;
}
