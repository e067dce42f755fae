import type { Arm, TrialResult } from "../results/eval-results.ts";
import type { CaseInArm, CaseSummary } from "./eval-summary.ts";
import { groupBy } from "./group-by.ts";

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
