import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { plural } from "@skillwright/core/internal";
import {
  compareResults,
  comparisonExitCode,
  type EvalComparison,
  type EvalResults,
  type EvalSummary,
  readResults,
  type ReportInput,
  saveResults,
  summarize,
  verdictExitCode,
} from "@skillwright/evals";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import type { OpenedEval } from "./open-eval.ts";
import { type EvalNumbers, shownPath } from "./settings.ts";

const EXIT = { done: 0, missing: 4, interrupted: 130 } as const;

type ExitCode = 0 | 1 | 2 | 4 | 130;

/** What the results come to: alone, against the baseline, and as an exit code. Writes nothing but a new baseline. */
export async function concludeEval(
  { results, unfinished }: EvalRun,
  world: OpenedEval,
  numbers: EvalNumbers,
): Promise<ReportInput & { readonly exitCode: ExitCode }> {
  const { options, isPart } = world;
  const { minimumPassRate, maximumErrorRate, failWhenInconclusive } = numbers;
  const alone = summarize(results, {
    ...(minimumPassRate !== undefined && { minimumPassRate }),
    ...(maximumErrorRate !== undefined && { maximumErrorRate }),
  });
  const baseline = await findBaseline(world);
  const compared = baseline && compareWith(baseline, results, numbers, isPart);
  const isUpdate = options.updateBaseline === true;
  const settled = settleComparison(alone, compared, {
    isPart,
    isUpdate,
    failWhenInconclusive,
    ...(unfinished && { unfinished }),
  });
  const other = settled.comparison && baseline && (isPart ? partOf(baseline, results) : baseline);
  return { results, ...settled, ...(other && { other }) };
}

/** What is printed, written and returned: all of one mind. */
export interface SettledEval {
  readonly summary: EvalSummary;
  /** Where it is there, it decides. */
  readonly comparison?: EvalComparison;
  readonly exitCode: ExitCode;
}

/** Cases that look worse were not tried again to the end. */
export interface Unfinished {
  readonly reason: "interrupted" | "cost" | "time";
  readonly cases: number;
}

interface Circumstances {
  /** Only some cases were asked for. */
  readonly isPart: boolean;
  /** These results become the baseline. */
  readonly isUpdate: boolean;
  readonly failWhenInconclusive: boolean;
  readonly unfinished?: Unfinished;
}

/**
 * Without a baseline the verdict decides. With one, what failed before is known: only what got worse, what is gone,
 * a new case that fails, and what could not be judged count.
 */
export function settleComparison(
  summary: EvalSummary,
  comparison: EvalComparison | undefined,
  circumstances: Circumstances,
): SettledEval {
  const settled = settle(summary, comparison, circumstances);
  const { unfinished } = circumstances;
  return unfinished ? withUnfinished(settled, unfinished) : settled;
}

function settle(
  summary: EvalSummary,
  comparison: EvalComparison | undefined,
  { isPart, isUpdate, failWhenInconclusive }: Circumstances,
): SettledEval {
  const alone = verdictExitCode(summary.verdict, { failWhenInconclusive });
  if (comparison === undefined) return { summary, exitCode: alone };
  const { status, sentence } = comparison;
  if (status === "no-data" || (isPart && isAllNew(comparison))) {
    const note = "None of these cases is in the baseline as it is now: they are judged alone.";
    return { summary: withNote(summary, note), exitCode: alone };
  }
  if (status === "regression" && isUpdate && alone !== EXIT.missing) {
    const note = `Against the baseline before this one: ${sentence}`;
    return { summary: withNote(summary, note), exitCode: alone };
  }
  return {
    summary,
    comparison,
    exitCode: comparisonExitCode(comparison, { failWhenInconclusive }),
  };
}

/** What is shown already stays; what would pass is in doubt. */
function withUnfinished(settled: SettledEval, { reason, cases }: Unfinished): SettledEval {
  const { summary, comparison, exitCode } = settled;
  const why = reason === "interrupted" ? "it was interrupted" : `--budget-${reason} ran out`;
  const were = cases === 1 ? "was" : "were";
  const note = `${plural(cases, "case")} that may have got worse ${were} not tried again to the end: ${why}.`;
  const { status, sentence } = comparison ?? summary.verdict;
  const isOpen = exitCode === EXIT.done || status === "inconclusive";
  const code = isOpen ? EXIT.missing : exitCode;
  const ended = reason === "interrupted" ? EXIT.interrupted : code;
  if (!isOpen) return { ...settled, summary: withNote(summary, note), exitCode: ended };
  const doubt = {
    status: "inconclusive",
    sentence: `${note} ${sentence}`,
    next: "skillwright eval --resume",
  } as const;
  return comparison
    ? { summary, comparison: { ...comparison, ...doubt }, exitCode: ended }
    : { summary: { ...summary, verdict: { ...summary.verdict, ...doubt } }, exitCode: ended };
}

function isAllNew({ cases }: EvalComparison): boolean {
  const { compared, changed, errors, quarantined } = cases;
  return compared + changed.length + errors.length + quarantined.length === 0;
}

function withNote(summary: EvalSummary, note: string): EvalSummary {
  const { verdict } = summary;
  return { ...summary, verdict: { ...verdict, notes: [...verdict.notes, note] } };
}

/** What an eval came to, and what it lacks: cases that look worse may not have been tried again to the end. */
export interface EvalRun {
  readonly results: EvalResults;
  readonly unfinished?: Unfinished;
}

export function compareWith(
  baseline: EvalResults,
  results: EvalResults,
  { margin, maximumErrorRate }: EvalNumbers,
  isPart: boolean,
): EvalComparison {
  const asked = {
    isPart,
    ...(margin !== undefined && { margin }),
    ...(maximumErrorRate !== undefined && { maximumErrorRate }),
  };
  const compared = compareResults(baseline, results, asked);
  if (compared.ok) return compared;
  const { message, hint, code } = compared;
  throw new AppFailure("usage", message, { code, ...(hint !== undefined && { hint }) });
}

export async function findBaseline({
  session,
  options,
  host,
}: OpenedEval): Promise<EvalResults | undefined> {
  const { baseline } = options;
  if (baseline === false) return undefined;
  const file = baselineFile(baseline, session.project, host);
  const isOptional = baseline === undefined || options.updateBaseline === true;
  if (isOptional && !existsSync(file)) return undefined;
  const read = await readResults(file);
  if (!read.ok) {
    const { message, hint, code } = read;
    throw new AppFailure("usage", message, { code, ...(hint !== undefined && { hint }) });
  }
  return read.results;
}

/** What is shown beside: the cases that were run. */
function partOf(baseline: EvalResults, { trials }: EvalResults): EvalResults {
  const ids = new Set(trials.map(({ caseId }) => caseId));
  const isRun = ({ caseId }: { readonly caseId: string }) => ids.has(caseId);
  const preferences = baseline.preferences?.filter(isRun);
  return {
    ...baseline,
    ...(preferences && { preferences }),
    trials: baseline.trials.filter(isRun),
  };
}

/** Only what says something about every case can be held against a later eval. */
export async function updateBaseline(
  { results, summary }: { readonly results: EvalResults; readonly summary: EvalSummary },
  { options, session, host }: OpenedEval,
  isUnfinished: boolean,
): Promise<void> {
  const file = baselineFile(options.baseline || undefined, session.project, host);
  const shown = shownPath(file, host);
  const { cases, verdict } = summary;
  // A failure is said before errors, and does not make up for them.
  const isLost = cases.some(({ arms: [tested] }) => tested?.outcome === "error");
  if (isLost || isUnfinished || verdictExitCode(verdict) === EXIT.missing) {
    host.note(`The baseline ${shown} is left as it is: not every case could be judged.`);
    return;
  }
  await saveResults(file, results);
  host.note(`The baseline is now ${shown}.`);
}

export function baselineFile(given: string | undefined, project: string, { cwd }: AppHost): string {
  return given === undefined
    ? join(project, ".agent", "evals", "baseline.json")
    : resolve(cwd, given);
}
