import type { Arm } from "../results/eval-results.ts";
import type { Interval } from "../statistics/interval.ts";
import type { Rate } from "../statistics/rate.ts";

export interface CostSummary {
  /** What the catalog costs in every request, whether a skill is used or not: the most of any trial. */
  readonly catalogTokens: number | null;
  readonly arms: readonly ArmCost[];
  /** The first arm against each other one, on the cases that ended in both. */
  readonly changes: readonly CostChange[];
}

/** Of the trials that ended. */
export interface ArmCost {
  readonly arm: Arm["name"];
  /** Trials that kept to all limits of their cases. */
  readonly withinLimits: Rate;
  readonly tokens: Distribution;
  readonly inputTokens: Distribution;
  readonly outputTokens: Distribution;
  /** Instructions of the skills that were activated. */
  readonly activationTokens: Distribution;
  readonly toolCalls: Distribution;
  readonly turns: Distribution;
  readonly timeMs: Distribution;
  /** Money, in the unit of the model's prices. */
  readonly cost: Distribution;
}

/** Null without any trial. */
export interface Distribution {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly mean: number | null;
  readonly total: number;
}

export interface CostChange {
  readonly first: Arm["name"];
  readonly second: Arm["name"];
  /** Mean of the first over mean of the second. */
  readonly tokens: CostRatio | null;
  readonly timeMs: CostRatio | null;
  /** Input tokens of a case in the first arm minus those in the second: all that activation costs. */
  readonly activationTokens: Distribution;
}

/** By bootstrap over cases. */
export interface CostRatio extends Interval {
  readonly value: number;
  /** Cases. */
  readonly n: number;
}
