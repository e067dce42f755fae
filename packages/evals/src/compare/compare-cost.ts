import { costRatio, type PairedCost } from "../summary/cost-ratio.ts";
import { pairCosts, tokensOf } from "../summary/summarize-cost.ts";
import type { TrajectoryUsage } from "../trajectory/trajectory.ts";
import type { CompareOptions } from "./compare-options.ts";
import type { CostFinding, CostMeasure } from "./eval-comparison.ts";
import type { MatchedCase } from "./match-cases.ts";

const MEASURES: Readonly<Record<CostMeasure, (usage: TrajectoryUsage) => number>> = {
  tokens: tokensOf,
  toolCalls: ({ toolCalls }) => toolCalls,
  turns: ({ turns }) => turns,
  timeMs: ({ timeMs }) => timeMs,
  cost: ({ cost }) => cost,
};

/**
 * Cost of the compared cases, per case. Of deterministic models the increase itself is judged, else the low
 * end of its interval. Time is never deterministic.
 */
export function compareCost(
  cases: readonly MatchedCase[],
  { costBudget = {} }: CompareOptions,
  isDeterministic: boolean,
  seed: number,
): CostFinding[] {
  const now = cases.flatMap((one) => one.now).filter(({ error }) => error === undefined);
  const before = cases.flatMap((one) => one.before).filter(({ error }) => error === undefined);
  if (cases.length === 0) return [];
  return (Object.keys(MEASURES) as CostMeasure[]).map((measure) => {
    const pairs = pairCosts(now, before, MEASURES[measure]);
    const means = { before: meanOf(pairs, "second"), now: meanOf(pairs, "first") };
    const ratio = costRatio(pairs, seed);
    const budget = costBudget[measure] ?? null;
    const isExact = isDeterministic && measure !== "timeMs";
    const seen = isExact ? ratio?.value : ratio?.low;
    // What cost nothing has no ratio: any cost is then an increase without bound.
    const increase = ratio === null ? (means.now > 0 ? Infinity : 0) : (seen ?? 0) - 1;
    const isRegression = budget !== null && increase > budget + 1e-9;
    return { measure, ...means, ratio, budget, isRegression };
  });
}

function meanOf(pairs: readonly PairedCost[], side: "first" | "second"): number {
  if (pairs.length === 0) return 0;
  const means = pairs.map(({ [side]: values }) => {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
