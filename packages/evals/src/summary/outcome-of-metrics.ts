import type { Metric, Outcome } from "../grade/grade.ts";
import { outcomeOf } from "../grade/outcome-of.ts";
import type { TrialResult } from "../results/eval-results.ts";

/** How the checks of these kinds went in a trial; undefined when it has none, as after an error. */
export function outcomeOfMetrics(
  { grades }: Pick<TrialResult, "grades">,
  metrics: readonly Metric[],
): Outcome | undefined {
  const own = grades.filter(({ metric }) => metrics.includes(metric));
  return own.length === 0 ? undefined : outcomeOf(own);
}

export const SEQUENCE_METRICS: readonly Metric[] = ["sequence"];
export const OUTPUT_METRICS: readonly Metric[] = ["output", "judge"];
