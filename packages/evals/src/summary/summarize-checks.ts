import type { Metric } from "../grade/grade.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import { rateOfCases } from "../statistics/rate.ts";
import type { CheckedArm, CheckSummary } from "./eval-summary.ts";
import { findAssertions } from "./find-assertions.ts";
import { groupBy } from "./group-by.ts";
import { outcomeOfMetrics } from "./outcome-of-metrics.ts";
import { comparePaired } from "./paired-comparison.ts";

/** The checks of some kinds, for every arm; the first arm is compared with each other one. */
export function summarizeChecks(
  trials: readonly TrialResult[],
  arms: readonly Arm["name"][],
  metrics: readonly Metric[],
  seed: number,
): CheckSummary {
  const [first, ...others] = arms;
  const outcomeOf = (trial: TrialResult) => outcomeOfMetrics(trial, metrics);
  // What decides by itself does so in every arm: it tells nothing about a skill.
  const decided = trials.filter(({ isMock }) => !isMock);
  return {
    arms: arms.map((arm) => {
      const own = trials.filter((trial) => trial.arm === arm);
      return checkedArm(arm, own, metrics);
    }),
    paired: others.flatMap((second) => {
      if (first === undefined) return [];
      return comparePaired(decided, { first, second, outcomeOf, seed }) ?? [];
    }),
    assertions: findAssertions(trials, arms, metrics),
  };
}

function checkedArm(
  arm: Arm["name"],
  trials: readonly TrialResult[],
  metrics: readonly Metric[],
): CheckedArm {
  const grades = trials.flatMap((trial) =>
    trial.grades.filter(({ metric }) => metrics.includes(metric)),
  );
  const judged = grades.filter(({ outcome }) => outcome === "pass" || outcome === "fail");
  const cases = [...groupBy(trials, ({ caseId }) => caseId).values()].map((all) =>
    all
      .map((trial) => outcomeOfMetrics(trial, metrics))
      .filter((outcome) => outcome === "pass" || outcome === "fail")
      .map((outcome) => outcome === "pass"),
  );
  const total = judged.reduce((sum, { score }) => sum + score, 0);
  return {
    arm,
    passed: rateOfCases(cases),
    score: judged.length > 0 ? total / judged.length : null,
    checks: judged.length,
    errors: grades.filter(({ outcome }) => outcome === "error").length,
    unjudged: grades.filter(({ outcome }) => outcome === "unjudged").length,
  };
}
