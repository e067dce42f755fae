import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Failure } from "@skillwright/core";
import type { Arm, EvalResults, EvalSetup, TrialResult } from "../results/eval-results.ts";
import { nonInferiorityGate, pairedDifference } from "../statistics/paired.ts";
import { pairedTest, pairOf } from "../summary/paired-comparison.ts";
import { costRatio, pairCosts, type PairedCost, tokensOf } from "../summary/summarize-cost.ts";
import { MAXIMUM_ERROR_RATE } from "../summary/verdict.ts";
import type { TrajectoryUsage } from "../trajectory/trajectory.ts";
import { compareSetups, setupNotes } from "./compare-setups.ts";
import { decideComparison } from "./decide-comparison.ts";
import type {
  CompareOptions,
  CostFinding,
  CostMeasure,
  EvalComparison,
} from "./eval-comparison.ts";
import { findFlips } from "./find-flips.ts";
import { countErrors, isFirst, matchCases, type MatchedCase } from "./match-cases.ts";

const MARGIN = 0.05;

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
function compareCost(
  cases: readonly MatchedCase[],
  { costBudget = {} }: CompareOptions,
  isDeterministic: boolean,
): CostFinding[] {
  const isCounted = (one: TrialResult) => one.error === undefined && isFirst(one);
  const now = cases.flatMap((one) => one.now).filter(isCounted);
  const before = cases.flatMap((one) => one.before).filter(isCounted);
  if (cases.length === 0) return [];
  return (Object.keys(MEASURES) as CostMeasure[]).map((measure) => {
    const pairs = pairCosts(now, before, MEASURES[measure]);
    const means = { before: meanOf(pairs, "second"), now: meanOf(pairs, "first") };
    const ratio = costRatio(pairs);
    const budget = costBudget[measure] ?? null;
    const isMeasured = isDeterministic && measure !== "timeMs";
    const seen = isMeasured ? ratio?.value : ratio?.low;
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

export type CompareFailureCode =
  | "margin-invalid"
  | "error-rate-invalid"
  | "budget-invalid"
  | "arm-missing";

const OPTIONS: OptionKinds<CompareOptions> = {
  margin: "any",
  costBudget: "object",
  maximumErrorRate: "any",
  isPart: "boolean",
  failWhenInconclusive: "boolean",
};

/** Whether the tested arm got worse since the baseline. */
export function compareResults(
  baseline: EvalResults,
  now: EvalResults,
  options: CompareOptions = {},
): EvalComparison | Failure<CompareFailureCode> {
  checkOptions("compareResults", options, OPTIONS);
  const failure = wrongOptions(options);
  if (failure !== undefined) return failure;
  const arm = now.setup.arms[0]?.name ?? "with_skill";
  const before = ofArm(baseline, arm);
  if (before.length === 0 && baseline.trials.length > 0) return missingArm(baseline, arm);
  const isDeterministic = isExact(baseline.setup, now.setup);
  const own = ofArm(now, arm);
  const { matched, ...unmatched } = matchCases(before, own);
  const pairs = matched.map(({ shares }) => pairOf(shares.now, shares.before));
  const hasGate = !isDeterministic && pairs.length > 0;
  const facts = {
    isDeterministic,
    changes: compareSetups(baseline.setup, now.setup),
    cases: { ...findFlips(matched, isDeterministic), ...unmatched },
    gate: hasGate ? nonInferiorityGate(pairedDifference(pairs), options.margin ?? MARGIN) : null,
    test: hasGate ? pairedTest(pairs, now.setup.seed) : null,
    cost: compareCost(matched, options, isDeterministic),
    errors: { before: countErrors(before), now: countErrors(own) },
    retries: {
      cases: [...new Set(own.filter((one) => !isFirst(one)).map(({ caseId }) => caseId))].sort(),
      isBaselineSaved: before.every(isFirst),
    },
  };
  const setup = { now: now.setup, notes: setupNotes(baseline.setup, now.setup) };
  return { ok: true, schemaVersion: 1, ...decideComparison(facts, setup, options), ...facts };
}

function wrongOptions({
  margin = MARGIN,
  maximumErrorRate = MAXIMUM_ERROR_RATE,
  costBudget = {},
}: CompareOptions): Failure<CompareFailureCode> | undefined {
  if (!(margin >= 0 && margin < 1)) {
    const message = `A margin is a share of at least 0 and less than 1, not ${margin}`;
    return {
      ok: false,
      code: "margin-invalid",
      message,
      hint: "0.05 tolerates a drop of 5 points",
    };
  }
  if (!(maximumErrorRate >= 0 && maximumErrorRate <= 1)) {
    const message = `A rate of errors is a share from 0 to 1, not ${maximumErrorRate}`;
    return {
      ok: false,
      code: "error-rate-invalid",
      message,
      hint: "0.1 tolerates 10 in 100 trials",
    };
  }
  const wrong = Object.entries(costBudget).find(([, budget]) => !(budget >= 0));
  if (wrong === undefined) return undefined;
  const message = `The budget for ${wrong[0]} is the share that it may grow by, not ${wrong[1]}`;
  return { ok: false, code: "budget-invalid", message, hint: "0.1 allows 10 % more" };
}

function missingArm(baseline: EvalResults, arm: Arm["name"]): Failure<CompareFailureCode> {
  const candidates = [...new Set(baseline.trials.map((trial) => trial.arm))];
  const message = `The baseline has no trials of the arm ${arm}`;
  const hint = "Compare with results of an eval of the same arm";
  return { ok: false, code: "arm-missing", message, hint, candidates };
}

function ofArm({ trials }: EvalResults, arm: Arm["name"]): TrialResult[] {
  return trials.filter((trial) => trial.arm === arm);
}

/** Whether the same request gets the same answer in both: of models that are programs, and of one recording. */
function isExact(before: EvalSetup, now: EvalSetup): boolean {
  if (before.isDeterministic && now.isDeterministic) return true;
  return now.recording !== undefined && before.recording === now.recording;
}
