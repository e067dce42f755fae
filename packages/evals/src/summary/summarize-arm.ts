import type { Arm, TrialResult } from "../results/eval-results.ts";
import { passAllK, passAtK } from "../statistics/pass-at-k.ts";
import { rateOf, rateOfCases } from "../statistics/rate.ts";
import type { ArmSummary, CaseInArm, RepeatedRate } from "./eval-summary.ts";
import { groupBy } from "./group-by.ts";
import { caseInArm } from "./summarize-cases.ts";

/** Nobody reads more columns than this. */
const MOST_ATTEMPTS = 10;

export function summarizeArm(arm: Arm["name"], trials: readonly TrialResult[]): ArmSummary {
  const own = trials.filter((trial) => trial.arm === arm);
  const cases = [...groupBy(own, ({ caseId }) => caseId).values()].map((all) =>
    caseInArm(arm, all),
  );
  const outcomes = cases.map(({ passed, judged }) =>
    Array.from({ length: judged }, (_, i) => i < passed),
  );
  return {
    arm,
    passed: rateOfCases(outcomes),
    errors: own.filter(({ outcome }) => outcome === "error").length,
    unjudged: own.filter(({ outcome }) => outcome === "unjudged").length,
    trials: own.length,
    repeated: repeatedRates(cases.filter(({ judged }) => judged > 0)),
  };
}

/** Up to the number of trials of every case; with k equal to it, it is the raw share of cases, and luck decides. */
function repeatedRates(cases: readonly CaseInArm[]): RepeatedRate[] {
  if (cases.length === 0) return [];
  const fewest = cases.reduce((least, { judged }) => Math.min(least, judged), Infinity);
  const trials = cases.reduce((sum, { judged }) => sum + judged, 0);
  const meanOf = (share: (passed: number, n: number, k: number) => number, k: number) => {
    const sum = cases.reduce((total, { passed, judged }) => total + share(passed, judged, k), 0);
    return rateOf(sum, cases.length, trials);
  };
  // One trial each says nothing that the pass rate does not.
  const most = fewest === 1 ? 0 : Math.min(fewest, MOST_ATTEMPTS);
  return Array.from({ length: most }, (_, i) => ({
    k: i + 1,
    atLeastOne: meanOf(passAtK, i + 1),
    all: meanOf(passAllK, i + 1),
  }));
}
