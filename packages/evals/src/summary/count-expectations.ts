import { isUnsupported } from "../grade/is-unsupported.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import type { ExpectationCount } from "./eval-summary.ts";

/** Of each case once, however often it was tried: who judges is the same for all trials of an eval. */
export function countExpectations(
  trials: readonly Pick<TrialResult, "caseId" | "arm" | "grades">[],
  tested: Arm["name"] | undefined,
): ExpectationCount {
  const seen = new Set<string>();
  const count = { total: 0, withoutJudge: 0, unsupported: 0 };
  for (const { caseId, arm, grades } of trials) {
    // After an error there are none.
    if (arm !== tested || grades.length === 0 || seen.has(caseId)) continue;
    seen.add(caseId);
    for (const grade of grades) {
      count.total++;
      if (isUnsupported(grade)) count.unsupported++;
      else if (grade.outcome === "unjudged") count.withoutJudge++;
    }
  }
  return count;
}
