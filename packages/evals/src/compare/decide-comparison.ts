import { formatDifference } from "../statistics/format-numbers.ts";
import type { CompareOptions } from "./compare-options.ts";
import type { EvalComparison } from "./eval-comparison.ts";

type ComparisonFacts = Pick<
  EvalComparison,
  "isDeterministic" | "changes" | "cases" | "gate" | "test" | "cost"
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
  { isPart = false }: Pick<CompareOptions, "isPart"> = {},
): Decision {
  const decision = regressed(facts, isPart) ?? unfinished(facts) ?? judged(facts);
  return { ...decision, notes: [...setupNotes, ...caseNotes(facts, isPart)] };
}

type Bare = Omit<Decision, "notes">;

function regressed({ cases, gate, cost }: ComparisonFacts, isPart: boolean): Bare | undefined {
  const reasons: string[] = [];
  if (cases.regressions.length > 0) {
    const names = listed(cases.regressions.map(({ caseId }) => caseId));
    reasons.push(`${cases.regressions.length} of ${counted(cases.compared)} got worse: ${names}`);
  }
  if (gate?.status === "fail") {
    reasons.push(
      `the pass rate fell by more than the margin: ${formatDifference(gate.difference)}`,
    );
  }
  for (const { measure, before, now, budget, isRegression } of cost) {
    if (!isRegression) continue;
    const allowed = `${Math.round((budget ?? 0) * 100)} % more is allowed`;
    reasons.push(
      `${measure} per case grew from ${short(before)} to ${short(now)} in ${counted(cases.compared)} (${allowed})`,
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
    reasons.push(`${counted(cases.missing.length)} of the baseline ${are} missing: ${names}`);
  }
  if (reasons.length === 0) return undefined;
  return {
    status: "regression",
    sentence: `${capitalized(reasons.join("; "))}.`,
    // Cases that were taken away on purpose are gone from the next baseline.
    next: isOnlyMissing ? NEXT.update : NEXT.report,
  };
}

function unfinished({ cases }: ComparisonFacts): Bare | undefined {
  const lost = cases.errors.filter(({ side }) => side === "now");
  if (lost.length > 0) {
    const names = listed(lost.map(({ caseId }) => caseId));
    const sentence = `${counted(lost.length)} could not be judged now: ${names}.`;
    return { status: "errors", sentence, next: NEXT.again };
  }
  if (cases.compared > 0) return undefined;
  const sentence = "No case can be compared: none is the same and judged in both.";
  return { status: "no-data", sentence, next: NEXT.update };
}

function judged({ isDeterministic, cases, gate }: ComparisonFacts): Bare {
  if (isDeterministic || gate === null) {
    const better = cases.improvements.length;
    const sentence =
      better > 0
        ? `${better} of ${counted(cases.compared)} got better, none worse.`
        : `Nothing changed in ${counted(cases.compared)}.`;
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

function caseNotes({ cases }: ComparisonFacts, isPart: boolean): string[] {
  const { quarantined, changed, added, missing, errors, suspects } = cases;
  const before = errors.filter(({ side }) => side === "before");
  const say = (some: readonly { readonly caseId: string }[], what: string) =>
    some.length > 0 ? [`${what}: ${listed(some.map(({ caseId }) => caseId))}.`] : [];
  const named = (ids: readonly string[]) => ids.map((caseId) => ({ caseId }));
  return [
    ...say(quarantined, "Passed only sometimes in the baseline, and is left out"),
    ...say(changed, "Changed since the baseline, and is left out"),
    ...say(before, "Had no result in the baseline"),
    ...say(suspects, "Worse, but chance could have done it"),
    ...say(named(added), "New"),
    ...(isPart && missing.length > 0
      ? [
          `Only a part was run: ${counted(missing.length)} of the baseline ${missing.length === 1 ? "is" : "are"} not in it.`,
        ]
      : say(named(missing), "Missing")),
  ];
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "case" : "cases"}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

function short(value: number): string {
  return Number.isInteger(value) ? `${value}` : value.toFixed(value < 1 ? 4 : 1);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
