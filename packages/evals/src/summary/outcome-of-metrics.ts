import type { Metric, Outcome } from "../grade/grade.ts";
import type { TrialResult } from "../results/eval-results.ts";

/** How the checks of these kinds went in a trial; undefined when it has none, as after an error. */
export function outcomeOfMetrics(
  { grades }: TrialResult,
  metrics: readonly Metric[],
): Outcome | undefined {
  const outcomes = new Set(
    grades.filter(({ metric }) => metrics.includes(metric)).map(({ outcome }) => outcome),
  );
  // What nobody could judge does not hide what could be.
  return (["fail", "error", "pass", "unjudged"] as const).find((one) => outcomes.has(one));
}

export const SEQUENCE_METRICS: readonly Metric[] = ["sequence"];
export const OUTPUT_METRICS: readonly Metric[] = ["output", "judge"];
