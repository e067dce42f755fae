import type { Arm, TrialResult } from "../results/eval-results.ts";
import { percentile } from "../statistics/percentile.ts";
import { rateOfCases } from "../statistics/rate.ts";
import type { TrajectoryUsage } from "../trajectory/trajectory.ts";
import { costRatio, type PairedCost } from "./cost-ratio.ts";
import type { ArmCost, CostChange, CostSummary, Distribution } from "./cost-summary.ts";
import { groupBy } from "./group-by.ts";
import { outcomeOfMetrics } from "./outcome-of-metrics.ts";

export function summarizeCost(
  trials: readonly TrialResult[],
  arms: readonly Arm["name"][],
  seed: number,
): CostSummary {
  // A trial that was cut off cost less than it would have.
  const ended = trials.filter(({ error }) => error === undefined);
  const [first, ...others] = arms;
  const own = ended.filter(({ arm }) => arm === first);
  return {
    catalogTokens:
      own.length > 0 ? own.reduce((most, one) => Math.max(most, one.catalogTokens), 0) : null,
    arms: arms.map((arm) =>
      armCost(
        arm,
        ended.filter((trial) => trial.arm === arm),
      ),
    ),
    changes: others.flatMap((second) =>
      first === undefined ? [] : [costChange(ended, first, second, seed)],
    ),
  };
}

function armCost(arm: Arm["name"], trials: readonly TrialResult[]): ArmCost {
  const of = (valueOf: (usage: TrajectoryUsage) => number) =>
    distributionOf(trials.map(({ usage }) => valueOf(usage)));
  const cases = [...groupBy(trials, ({ caseId }) => caseId).values()].map((all) =>
    all
      .map((trial) => outcomeOfMetrics(trial, ["cost"]))
      .filter((outcome) => outcome === "pass" || outcome === "fail")
      .map((outcome) => outcome === "pass"),
  );
  return {
    arm,
    withinLimits: rateOfCases(cases),
    tokens: of(tokensOf),
    inputTokens: of(({ inputTokens }) => inputTokens),
    outputTokens: of(({ outputTokens }) => outputTokens),
    activationTokens: distributionOf(trials.map((trial) => trial.activationTokens)),
    toolCalls: of(({ toolCalls }) => toolCalls),
    turns: of(({ turns }) => turns),
    timeMs: of(({ timeMs }) => timeMs),
    cost: of(({ cost }) => cost),
  };
}

function costChange(
  trials: readonly TrialResult[],
  first: Arm["name"],
  second: Arm["name"],
  seed: number,
): CostChange {
  const inArm = (arm: Arm["name"]) => trials.filter((trial) => trial.arm === arm);
  const pairs = (valueOf: (usage: TrajectoryUsage) => number) =>
    pairCosts(inArm(first), inArm(second), valueOf);
  const activation = pairs(({ inputTokens }) => inputTokens).map(
    (pair) => meanOf(pair.first) - meanOf(pair.second),
  );
  return {
    first,
    second,
    tokens: costRatio(pairs(tokensOf), seed),
    timeMs: costRatio(
      pairs(({ timeMs }) => timeMs),
      seed,
    ),
    activationTokens: distributionOf(activation),
  };
}

/** What each case cost in each of its trials, of the cases that both have. */
export function pairCosts(
  first: readonly TrialResult[],
  second: readonly TrialResult[],
  valueOf: (usage: TrajectoryUsage) => number,
): PairedCost[] {
  const others = groupBy(second, ({ caseId }) => caseId);
  return [...groupBy(first, ({ caseId }) => caseId)].flatMap(([caseId, own]) => {
    const other = others.get(caseId);
    if (other === undefined) return [];
    const values = (some: readonly TrialResult[]) => some.map(({ usage }) => valueOf(usage));
    return [{ caseId, first: values(own), second: values(other) }];
  });
}

export function tokensOf({ inputTokens, outputTokens }: TrajectoryUsage): number {
  return inputTokens + outputTokens;
}

function distributionOf(values: readonly number[]): Distribution {
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    n: values.length,
    p50: percentile(values, 0.5) ?? null,
    p95: percentile(values, 0.95) ?? null,
    mean: values.length > 0 ? total / values.length : null,
    total,
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
