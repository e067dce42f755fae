import type { Failure } from "@skillwright/core";
import { plural } from "@skillwright/core/internal";
import { formatDifference } from "../statistics/format-numbers.ts";
import { MAXIMUM_ERROR_RATE } from "../summary/verdict.ts";
import type { CompareOptions } from "./compare-results.ts";
import type { ComparisonStatus, ErrorCount, EvalComparison } from "./eval-comparison.ts";

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

type NoteFacts = Pick<EvalComparison, "cases" | "isDeterministic" | "errors">;

/** What was left out, and what is not sure. */
function comparisonNotes(
  { cases, isDeterministic, errors: { before: earlier } }: NoteFacts,
  isPart: boolean,
): string[] {
  const { quarantined, changed, added, missing, errors, suspects } = cases;
  const before = errors.filter(({ side }) => side === "before");
  const say = (some: readonly { readonly caseId: string }[], what: string) =>
    some.length > 0 ? [`${what}: ${listed(some.map(({ caseId }) => caseId))}.`] : [];
  const named = (ids: readonly string[]) => ids.map((caseId) => ({ caseId }));
  return [
    ...say(
      quarantined,
      `Passed only sometimes in the baseline${isDeterministic ? ", and is left out" : ""}`,
    ),
    ...say(changed, "Changed since the baseline, and is left out"),
    ...say(before, "Had no result in the baseline"),
    ...(earlier.errors > 0
      ? [`${earlier.errors} of ${earlier.trials} trials of the baseline ended in an error.`]
      : []),
    ...say(suspects, "Worse, but chance could have done it"),
    ...say(named(added), "New"),
    ...(isPart && missing.length > 0
      ? [
          `Only a part was run: ${plural(missing.length, "case")} of the baseline ${missing.length === 1 ? "is" : "are"} not in it.`,
        ]
      : say(named(missing), "Missing")),
  ];
}

type ComparisonFacts = Pick<
  EvalComparison,
  "isDeterministic" | "changes" | "cases" | "gate" | "test" | "cost" | "errors"
>;

type Decision = Pick<EvalComparison, "status" | "sentence" | "next" | "notes">;

const NEXT = {
  report: "skillwright eval report",
  again: "skillwright eval",
  trials: "skillwright eval --trials 5",
  update: "skillwright eval --update-baseline",
} as const;

/** A regression is said even beside errors; errors before anything that is good. */
export function decideComparison(
  facts: ComparisonFacts,
  setupNotes: readonly string[],
  { isPart = false, maximumErrorRate = MAXIMUM_ERROR_RATE }: CompareOptions = {},
): Decision {
  const decision = regressed(facts, isPart) ?? unfinished(facts, maximumErrorRate) ?? judged(facts);
  return { ...decision, notes: [...setupNotes, ...comparisonNotes(facts, isPart)] };
}

type Bare = Omit<Decision, "notes">;

function regressed({ cases, gate, cost }: ComparisonFacts, isPart: boolean): Bare | undefined {
  const reasons: string[] = [];
  if (cases.regressions.length > 0) {
    const names = listed(cases.regressions.map(({ caseId }) => caseId));
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
    const what =
      cases.failing.length === 1 ? "new or changed case fails" : "new or changed cases fail";
    reasons.push(`${cases.failing.length} ${what}: ${listed(cases.failing)}`);
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

function unfinished(
  { cases, errors: { now } }: ComparisonFacts,
  maximumErrorRate: number,
): Bare | undefined {
  const unjudged = cases.errors.flatMap(({ caseId, side }) => (side === "now" ? [caseId] : []));
  const lost = [...new Set([...unjudged, ...now.lost])].sort();
  if (lost.length > 0) {
    const sentence = `${plural(lost.length, "case")} could not be judged now: ${listed(lost)}.${firstError(now)}`;
    return { status: "errors", sentence, next: NEXT.again };
  }
  if (now.errors > now.trials * maximumErrorRate) {
    const sentence = `Too many errors to judge.${firstError(now)}`;
    return { status: "errors", sentence, next: NEXT.again };
  }
  if (cases.compared > 0) return undefined;
  const sentence = "No case can be compared: none is the same and judged in both.";
  return { status: "no-data", sentence, next: NEXT.update };
}

function firstError({ errors, trials, first }: ErrorCount): string {
  if (first === undefined) return "";
  const { code, caseId, message } = first;
  return ` ${errors} of ${trials} trials ended in an error, first ${code} in ${caseId}: ${message}`;
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
    const sentence = `${trend} ${margin}; the cases are too few to tell: ${seen}.`;
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
