import { groupBy } from "../group-by.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { passAllK, passAtK, rateOf, rateOfCases } from "../statistics/rates.ts";
import type { ArmSummary, CaseInArm, CaseSummary, RepeatedRate } from "./eval-summary.ts";

/** In the order of their ids: it does not depend on which trial ended first. */
export function summarizeCases(
  trials: readonly TrialResult[],
  arms: readonly Arm["name"][],
): CaseSummary[] {
  const cases = [...groupBy(trials, ({ caseId }) => caseId)].flatMap(([id, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { title, origin, tags, isMock } = first;
    const inArms = arms.flatMap((arm) => {
      const own = all.filter((trial) => trial.arm === arm);
      return own.length > 0 ? [caseInArm(arm, own)] : [];
    });
    return [{ id, title, origin, tags, isMock, arms: inArms }];
  });
  return cases.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function caseInArm(
  arm: Arm["name"],
  trials: readonly Pick<TrialResult, "outcome">[],
): CaseInArm {
  const count = (outcome: TrialResult["outcome"]) =>
    trials.filter((trial) => trial.outcome === outcome).length;
  const [passed, failed] = [count("pass"), count("fail")];
  const [errors, unjudged] = [count("error"), count("unjudged")];
  const outcome = outcomeOfCase(passed, failed, errors);
  return { arm, outcome, passed, judged: passed + failed, errors, unjudged };
}

function outcomeOfCase(passed: number, failed: number, errors: number): CaseInArm["outcome"] {
  if (passed > 0 && failed > 0) return "flaky";
  if (failed > 0) return "fail";
  if (passed > 0) return "pass";
  return errors > 0 ? "error" : "unjudged";
}

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

/** For each k from the cases with at least k judged trials, as long as they are at least half of all. */
function repeatedRates(cases: readonly CaseInArm[]): RepeatedRate[] {
  const rates: RepeatedRate[] = [];
  for (let k = 1; k <= MOST_ATTEMPTS; k++) {
    const own = cases.filter(({ judged }) => judged >= k);
    if (own.length === 0 || own.length < cases.length / 2) break;
    const trials = own.reduce((sum, { judged }) => sum + judged, 0);
    const meanOf = (share: (passed: number, n: number, k: number) => number) => {
      const sum = own.reduce((total, { passed, judged }) => total + share(passed, judged, k), 0);
      return rateOf(sum, own.length, trials);
    };
    rates.push({ k, atLeastOne: meanOf(passAtK), all: meanOf(passAllK) });
  }
  // One trial each says nothing that the pass rate does not.
  return rates.length > 1 ? rates : [];
}
