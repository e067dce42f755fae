import type { CaseOrigin } from "../cases/eval-case.ts";
import type { Grade, Metric } from "../grade/grade.ts";
import type { Arm } from "../results/eval-results.ts";
import type { Rate } from "../statistics/rates.ts";
import type { TriggerSummary } from "../trigger/trigger-summary.ts";
import type { PairedComparison } from "./paired-comparison.ts";
import type { PreferenceSummary } from "./summarize-preferences.ts";

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

/** By the t distribution over cases. */
export interface CostRatio {
  readonly value: number;
  /** Null where nothing bounds it: of one case that costs the same in all its trials, or was tried once. */
  readonly low: number;
  readonly high: number | null;
  /** Cases. */
  readonly n: number;
}

/** What `eval --json` prints: every number with how many it rests on. */
export interface EvalSummary {
  readonly schemaVersion: 1;
  readonly verdict: Verdict;
  readonly trigger: TriggerSummary;
  readonly sequence: CheckSummary;
  readonly output: CheckSummary;
  readonly cost: CostSummary;
  /** What a judge says about the answers of two arms, for each other arm; without that, nothing. */
  readonly preferences?: readonly PreferenceSummary[];
  readonly cases: readonly CaseSummary[];
}

export interface Verdict {
  readonly status: VerdictStatus;
  /** One sentence for a person. */
  readonly sentence: string;
  /** The command that helps next. */
  readonly next: string;
  /** Which one decided. */
  readonly model: string;
  /** A program stood in for a language model: the verdict is about the harness. */
  readonly isSmokeTest: boolean;
  /** What has to be known to read the numbers: how few they are, what was left out. */
  readonly notes: readonly string[];
  readonly expectations: ExpectationCount;
  readonly arms: readonly ArmSummary[];
  readonly paired: readonly PairedComparison[];
}

/** What the cases expect in the arm that is tested, and what of it nobody judged. */
export interface ExpectationCount {
  readonly total: number;
  /** In words, and there was no judge. A case may pass by its other checks. */
  readonly withoutJudge: number;
  /** Expectations that cannot be checked here. Their cases never pass. */
  readonly unsupported: number;
}

/**
 * `errors`: too many trials ended in an error for anything to be said. `no-data`: nothing could be judged.
 * `inconclusive`: too few cases to tell.
 */
export type VerdictStatus = "pass" | "fail" | "inconclusive" | "errors" | "no-data";

export interface ArmSummary {
  readonly arm: Arm["name"];
  /** Trials that passed everything, over those that were judged. */
  readonly passed: Rate;
  readonly errors: number;
  readonly unjudged: number;
  /** Of all trials, however they ended. */
  readonly trials: number;
  /** Each from the cases with at least k trials, as long as those are at least half; k = n is the raw share. */
  readonly repeated: readonly RepeatedRate[];
}

/** What to expect of k attempts at a case; without bias, from more than k trials. */
export interface RepeatedRate {
  readonly k: number;
  /** pass@k: at least one passes. */
  readonly atLeastOne: Rate;
  /** pass^k: all of them pass. */
  readonly all: Rate;
}

export interface CheckSummary {
  readonly arms: readonly CheckedArm[];
  readonly paired: readonly PairedComparison[];
  readonly assertions: readonly AssertionFinding[];
}

export interface CheckedArm {
  readonly arm: Arm["name"];
  /** Trials in which every check of this kind passed. */
  readonly passed: Rate;
  /** Mean of the scores of single checks, with partial credit; null without any. */
  readonly score: number | null;
  readonly checks: number;
  readonly errors: number;
  readonly unjudged: number;
}

export interface AssertionFinding {
  readonly caseId: string;
  readonly metric: Metric;
  readonly text: Grade["text"];
  /**
   * `never-discriminates`: passes always, with the skill and without. `always-fails`: in every arm.
   * `harmful`: the share of trials that pass is at least 0.5 lower with the skill. `flaky`: passes in some trials of the
   * arm that is tested.
   */
  readonly kind: "never-discriminates" | "always-fails" | "harmful" | "flaky";
  readonly arms: readonly {
    readonly arm: Arm["name"];
    readonly passed: number;
    readonly judged: number;
  }[];
}

export interface CaseSummary {
  readonly id: string;
  readonly title: string;
  readonly origin: CaseOrigin;
  readonly tags: readonly string[];
  readonly isMock: boolean;
  readonly arms: readonly CaseInArm[];
}

export interface CaseInArm {
  readonly arm: Arm["name"];
  /** `flaky`: some trials passed and some failed. */
  readonly outcome: "pass" | "fail" | "flaky" | "error" | "unjudged";
  readonly passed: number;
  readonly judged: number;
  readonly errors: number;
  readonly unjudged: number;
}
