import type { Failure } from "@skillwright/core";
import { plural } from "@skillwright/core/internal";
import { formatDifference } from "../statistics/format-numbers.ts";
import type { EvalSetup } from "../results/eval-results.ts";
import { decidedBy, ended, MAXIMUM_ERROR_RATE } from "../summary/verdict.ts";
import { flipText, isUndecided } from "./find-flips.ts";
import type {
  CompareOptions,
  ComparisonStatus,
  ErrorCount,
  EvalComparison,
} from "./eval-comparison.ts";

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

type NoteFacts = Pick<EvalComparison, "cases" | "errors" | "retries">;

/** What was left out, and what is not sure. */
function comparisonNotes(
  { cases, errors: { before: earlier }, retries }: NoteFacts,
  isPart: boolean,
): string[] {
  const { quarantined, changed, added, missing, errors, suspects } = cases;
  const before = errors.flatMap(({ caseId, side }) => (side === "before" ? [caseId] : []));
  const list = (ids: readonly string[], what: string) =>
    ids.length > 0 ? [`${what}: ${listed(ids)}.`] : [];
  const idsOf = (some: readonly { readonly caseId: string }[]) => some.map(({ caseId }) => caseId);
  const where = retries.isBaselineSaved
    ? "only on the new version, since the baseline is saved"
    : "on both versions";
  return [
    ...list(idsOf(quarantined), "Left out, because they passed only sometimes in the baseline"),
    ...list(idsOf(changed), "Changed since the baseline, and left out"),
    ...list(before, "Without a result in the baseline"),
    ...(earlier.errors > 0
      ? [`${earlier.errors} of ${earlier.trials} trials of the baseline ended in an error.`]
      : []),
    ...list(retries.cases, `Tried again ${where}, because they looked worse`),
    ...list(suspects.map(flipText), "Worse, but not statistically significant"),
    ...list(added, "New"),
    ...(isPart && missing.length > 0
      ? [`Only a part was run: ${plural(missing.length, "case")} of the baseline left out.`]
      : list(missing, "Missing")),
  ];
}

type ComparisonFacts = Pick<
  EvalComparison,
  "isDeterministic" | "changes" | "cases" | "gate" | "test" | "cost" | "errors" | "retries"
>;

type Decision = Pick<EvalComparison, "status" | "sentence" | "next" | "notes">;

const NEXT = {
  report: "skillwright eval report",
  again: "skillwright eval",
  trials: "skillwright eval --trials 5",
  update: "skillwright eval --update-baseline",
} as const;

/** Many errors first, since they may cause anything; then what got worse; then doubt. */
export function decideComparison(
  facts: ComparisonFacts,
  { now, notes }: { readonly now: EvalSetup; readonly notes: readonly string[] },
  { isPart = false, maximumErrorRate = MAXIMUM_ERROR_RATE }: CompareOptions = {},
): Decision {
  const { sentence, ...decision } =
    tooManyErrors(facts, maximumErrorRate) ??
    regressed(facts, isPart) ??
    unfinished(facts) ??
    undecided(facts) ??
    judged(facts);
  return {
    ...decision,
    sentence: `${sentence} ${decidedBy(now)}`,
    notes: [...notes, ...comparisonNotes(facts, isPart)],
  };
}

type Bare = Omit<Decision, "notes">;

function regressed(
  { isDeterministic, cases, gate, cost }: ComparisonFacts,
  isPart: boolean,
): Bare | undefined {
  const reasons: string[] = [];
  if (cases.regressions.length > 0) {
    const names = listed(
      cases.regressions.map(isDeterministic ? ({ caseId }) => caseId : flipText),
    );
    reasons.push(
      `${cases.regressions.length} of ${plural(cases.compared, "case")} got worse: ${names}`,
    );
  }
  if (gate?.status === "fail") {
    reasons.push(
      `the pass rate fell by more than the margin: ${formatDifference(gate.difference)}`,
    );
  }
  for (const { measure, before, now, ratio, budget, isRegression } of cost) {
    if (!isRegression) continue;
    const allowed = `${Math.round((budget ?? 0) * 100)} % more is allowed`;
    reasons.push(
      `${measure} per case grew from ${short(before)} to ${short(now)} in ${plural(ratio?.n ?? cases.compared, "case")} (${allowed})`,
    );
  }
  if (cases.failing.length > 0) {
    const fail = cases.failing.length === 1 ? "case fails" : "cases fail";
    reasons.push(
      `${cases.failing.length} ${fail} without a result to compare with: ${listed(cases.failing)}`,
    );
  }
  const isOnlyMissing = reasons.length === 0;
  if (cases.missing.length > 0 && !isPart) {
    const are = cases.missing.length === 1 ? "is" : "are";
    const names = listed(cases.missing);
    reasons.push(
      `${plural(cases.missing.length, "case")} of the baseline ${are} missing: ${names}`,
    );
  }
  if (reasons.length === 0) return undefined;
  return {
    status: "regression",
    sentence: `${capitalized(reasons.join("; "))}.`,
    // Cases that were taken away on purpose are gone from the next baseline.
    next: isOnlyMissing ? NEXT.update : NEXT.report,
  };
}

function tooManyErrors(
  { errors: { now } }: ComparisonFacts,
  maximumErrorRate: number,
): Bare | undefined {
  if (now.errors <= now.trials * maximumErrorRate) return undefined;
  const sentence = `Too many errors to judge.${firstError(now)}`;
  return { status: "errors", sentence, next: NEXT.again };
}

function unfinished({ cases, errors: { now } }: ComparisonFacts): Bare | undefined {
  const gone = cases.errors.flatMap(({ caseId, side }) => (side === "now" ? [caseId] : []));
  const lost = [...new Set([...gone, ...now.lost])].sort();
  if (lost.length > 0) {
    const sentence = `${plural(lost.length, "case")} could not be judged now: ${listed(lost)}.${firstError(now)}`;
    // Few errors leave doubt; a case that is only unjudged, as without its judge, is not comparable at all.
    const isDoubt = cases.compared > 0 && lost.every((caseId) => now.lost.includes(caseId));
    return { status: isDoubt ? "inconclusive" : "errors", sentence, next: NEXT.again };
  }
  if (cases.compared > 0) return undefined;
  const sentence = "No case can be compared: none is the same and judged in both.";
  return { status: "no-data", sentence, next: NEXT.update };
}

function firstError({ errors, trials, first }: ErrorCount): string {
  if (first === undefined) return "";
  const { code, caseId, message } = first;
  return ` ${errors} of ${trials} trials ended in an error, first ${code} in ${caseId}: ${ended(message)}`;
}

/** Single cases that look worse than chance explains for one, and not yet for one of many. */
function undecided({ cases: { suspects } }: ComparisonFacts): Bare | undefined {
  const open = suspects.filter(isUndecided);
  if (open.length === 0) return undefined;
  const sentence = `${plural(open.length, "case")} may have got worse: ${listed(open.map(flipText))}.`;
  return { status: "inconclusive", sentence, next: NEXT.trials };
}

function judged({ isDeterministic, cases, gate }: ComparisonFacts): Bare {
  if (isDeterministic || gate === null) {
    const better = cases.improvements.length;
    const sentence =
      better > 0
        ? `${better} of ${plural(cases.compared, "case")} got better, none worse.`
        : `Nothing changed in ${plural(cases.compared, "case")}.`;
    return { status: better > 0 ? "better" : "same", sentence, next: NEXT.update };
  }
  const seen = formatDifference(gate.difference);
  const margin = `${Math.round(gate.margin * 100)} points`;
  if (gate.status === "inconclusive") {
    const trend = gate.isWorse
      ? "It is worse, and perhaps by more than"
      : "It may be worse by more than";
    const sentence = `${trend} ${margin}; the trials are too few to tell: ${seen}.`;
    return { status: "inconclusive", sentence, next: NEXT.trials };
  }
  if (gate.difference.low > 0)
    return { status: "better", sentence: `Better: ${seen}.`, next: NEXT.update };
  return {
    status: "same",
    sentence: `Not worse by more than ${margin}: ${seen}.`,
    next: NEXT.update,
  };
}

function short(value: number): string {
  return Number.isInteger(value) ? `${value}` : value.toFixed(value < 1 ? 4 : 1);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const EXIT_CODES: Readonly<Record<ComparisonStatus, 0 | 1 | 4>> = {
  same: 0,
  better: 0,
  inconclusive: 0,
  regression: 1,
  errors: 4,
  "no-data": 4,
};

/** 0: not worse. 1: worse. 2: it was asked for wrongly. 4: errors, or nothing to compare. */
export function comparisonExitCode(
  comparison: EvalComparison | Failure,
  { failWhenInconclusive = false }: CompareOptions = {},
): 0 | 1 | 2 | 4 {
  if (!comparison.ok) return 2;
  if (comparison.status === "inconclusive" && failWhenInconclusive) return 1;
  return EXIT_CODES[comparison.status];
}
