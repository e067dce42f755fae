import {
  comparisonExitCode,
  type EvalComparison,
  type EvalResults,
  type EvalSummary,
  verdictExitCode,
} from "@skillwright/evals";
import { plural } from "@skillwright/core/internal";
import { EXIT, type ExitCode } from "../exit-code.ts";

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
