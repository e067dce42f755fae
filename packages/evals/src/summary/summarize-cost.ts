import { groupBy } from "../group-by.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { studentQuantile } from "../statistics/distributions.ts";
import { CONFIDENCE, percentile, rateOfCases } from "../statistics/rates.ts";
import type { TrajectoryUsage } from "../trajectory/trajectory.ts";
import type { ArmCost, CostChange, CostRatio, CostSummary, Distribution } from "./eval-summary.ts";
import { outcomeOfMetrics } from "./summarize-checks.ts";

/** What a case cost in each trial of two arms, or of two evals. */
export interface PairedCost {
  readonly caseId: string;
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/**
 * The mean of the first over the mean of the second, with an interval by the t distribution on the logarithm: wide
 * enough also for a handful of cases, where a bootstrap is not. Null when the second cost nothing.
 */
export function costRatio(pairs: readonly PairedCost[]): CostRatio | null {
  const n = pairs.length;
  const cases = pairs.map(({ first, second }) => [meanOf(first), meanOf(second)] as const);
  const sum = (valueOf: (one: readonly [number, number]) => number) =>
    cases.reduce((total, one) => total + valueOf(one), 0);
  const [firstSum, secondSum] = [sum(([first]) => first), sum(([, second]) => second)];
  if (secondSum <= 0) return null;
  const value = firstSum / secondSum;
  if (n === 1) return { value, low: 0, high: null, n };
  if (value === 0) return { value, low: 0, high: 0, n };
  const squares = sum(([first, second]) => (first - value * second) ** 2);
  const error = Math.sqrt((squares * n) / (n - 1)) / firstSum;
  const spread = Math.exp(studentQuantile((1 + CONFIDENCE) / 2, n - 1) * error);
  return { value, low: value / spread, high: value * spread, n };
}

export function summarizeCost(
  trials: readonly TrialResult[],
  arms: readonly Arm["name"][],
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
      first === undefined ? [] : [costChange(ended, first, second)],
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
    tokens: costRatio(pairs(tokensOf)),
    timeMs: costRatio(pairs(({ timeMs }) => timeMs)),
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
