import { groupBy } from "../group-by.ts";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Outcome } from "../grade/grade.ts";
import { findFlips, type Flips } from "../compare/find-flips.ts";
import type { Arm, EvalResults, EvalSetup, TrialResult } from "../results/eval-results.ts";
import { evaluateTrigger } from "../trigger/evaluate-trigger.ts";
import { decideVerdict, type VerdictOptions } from "./verdict.ts";
import type { EvalSummary } from "./eval-summary.ts";
import { comparePaired, type PairedComparison } from "./paired-comparison.ts";
import { summarizeArm, summarizeCases } from "./summarize-cases.ts";
import {
  outcomeOfMetrics,
  OUTPUT_METRICS,
  SEQUENCE_METRICS,
  summarizeChecks,
} from "./summarize-checks.ts";
import { summarizeCost } from "./summarize-cost.ts";
import { summarizePreferences } from "./summarize-preferences.ts";

const OPTIONS: OptionKinds<VerdictOptions> = {
  minimumPassRate: "number",
  maximumErrorRate: "number",
};

/** All that an eval says, and one verdict. The same results give the same summary, in whatever order they came. */
export function summarize(results: EvalResults, options: VerdictOptions = {}): EvalSummary {
  checkOptions("summarize", options, OPTIONS);
  const { setup } = results;
  const all = results.trials.toSorted(byPlace);
  const trials = all.filter(({ isRetry }) => isRetry !== true);
  const arms = armsOf(setup.arms, trials);
  const [first = "with_skill"] = arms;
  const cases = summarizeCases(trials, arms);
  const paired = pairArms(all, arms, setup);
  const preferences = summarizePreferences(results.preferences ?? []);
  const inArms = arms.map((arm) => summarizeArm(arm, trials));
  return {
    schemaVersion: 1,
    verdict: decideVerdict({ setup, trials, cases, arms: inArms, paired, preferences }, options),
    trigger: evaluateTrigger(trials, { seed: setup.seed, arm: first }),
    sequence: summarizeChecks(trials, arms, SEQUENCE_METRICS, setup.seed),
    output: summarizeChecks(trials, arms, OUTPUT_METRICS, setup.seed),
    cost: summarizeCost(trials, arms),
    ...(preferences.length > 0 && { preferences }),
    cases,
  };
}

/**
 * The tested arm against each other one. Without the skill it can neither be selected nor followed, so
 * that only what came out is compared; another version of it is compared in everything.
 */
function pairArms(
  trials: readonly TrialResult[],
  [first, ...others]: readonly Arm["name"][],
  { seed, isDeterministic }: EvalSetup,
): PairedComparison[] {
  if (first === undefined) return [];
  const decided = trials.filter(({ isMock }) => !isMock);
  const once = decided.filter(({ isRetry }) => isRetry !== true);
  return others.flatMap((second) => {
    const outcomeOf = (trial: TrialResult): Outcome | undefined =>
      second === "without_skill" ? outcomeOfMetrics(trial, OUTPUT_METRICS) : trial.outcome;
    const paired = comparePaired(once, { first, second, outcomeOf, seed });
    if (paired === undefined) return [];
    if (second !== "old_skill" || isDeterministic) return [paired];
    const { compared, regressions, suspects } = flipsBetween(decided, second, first);
    return [{ ...paired, flips: { compared, regressions, suspects } }];
  });
}

/** Case by case, of all trials in two arms. */
function flipsBetween(
  trials: readonly TrialResult[],
  before: Arm["name"],
  now: Arm["name"],
): Flips {
  const cases = [...groupBy(trials, ({ caseId }) => caseId)].flatMap(([caseId, all]) => {
    const inArm = (arm: Arm["name"]) =>
      all.filter((one) => one.arm === arm && (one.outcome === "pass" || one.outcome === "fail"));
    const [old, own] = [inArm(before), inArm(now)];
    if (old.length === 0 || own.length === 0) return [];
    return [{ caseId, title: own[0]?.title ?? caseId, before: old, now: own }];
  });
  return findFlips(cases, false);
}

/** Also those that only trials name. */
function armsOf(arms: readonly Arm[], trials: readonly TrialResult[]): Arm["name"][] {
  return [...new Set([...arms.map(({ name }) => name), ...trials.map(({ arm }) => arm)])];
}

function byPlace(a: TrialResult, b: TrialResult): number {
  if (a.caseId !== b.caseId) return a.caseId < b.caseId ? -1 : 1;
  return a.trial - b.trial || (a.arm < b.arm ? -1 : 1);
}
