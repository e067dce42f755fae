import type { Arm, TrialResult } from "../results/eval-results.ts";
import { clusterBootstrap, type Row, sumsOfMeans } from "../statistics/cluster-bootstrap.ts";
import { percentile, rateOfCases } from "../statistics/rates.ts";
import type { TrajectoryUsage } from "../trajectory/trajectory.ts";
import type { ArmCost, CostChange, CostRatio, CostSummary, Distribution } from "./eval-summary.ts";
import { groupBy } from "./summarize-cases.ts";
import { outcomeOfMetrics } from "./summarize-checks.ts";

/** What a case cost in each trial of two arms, or of two evals. */
export interface PairedCost {
  readonly caseId: string;
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** The mean of the first over the mean of the second; null when the second cost nothing. */
export function costRatio(pairs: readonly PairedCost[], seed: number): CostRatio | null {
  const cases = pairs.map(rowsOf);
  const value = ratioOf(sumsOfMeans(cases));
  if (value === undefined) return null;
  // Where every case has the same ratio, as when nothing changed, each sample has it too.
  const isSame = cases.flat().every(([first = 0, second = 0]) => first === second * value);
  const interval = isSame ? undefined : clusterBootstrap(cases, ratioOf, { seed });
  const { low, high } = interval ?? { low: value, high: value };
  return { value, low: Math.min(low, value), high: Math.max(high, value), n: cases.length };
}

/** The shorter list is filled up with its mean, so that no trial counts more than another. */
function rowsOf({ first, second }: PairedCost): readonly Row[] {
  const [meanFirst, meanSecond] = [meanOf(first), meanOf(second)];
  return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [
    first[i] ?? meanFirst,
    second[i] ?? meanSecond,
  ]);
}

function ratioOf([first = 0, second = 0]: Float64Array): number | undefined {
  return second > 0 ? first / second : undefined;
}

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
