import type { TrialResult } from "../results/eval-results.ts";
import { groupBy } from "../summary/group-by.ts";
import type { ErrorCount } from "./eval-comparison.ts";

/** What of these trials, new cases among them, says nothing. */
export function countErrors(trials: readonly TrialResult[]): ErrorCount {
  const isError = ({ outcome }: TrialResult) => outcome === "error";
  const isLost = (own: readonly TrialResult[]) =>
    own.some(isError) && own.every(({ outcome }) => outcome === "error" || outcome === "unjudged");
  const groups = [...groupBy(trials, ({ caseId }) => caseId)];
  const first = trials.find(isError);
  return {
    errors: trials.filter(isError).length,
    trials: trials.length,
    lost: groups.filter(([, own]) => isLost(own)).map(([caseId]) => caseId),
    ...(first && { first: { caseId: first.caseId, ...reasonOf(first) } }),
  };
}

function reasonOf({ error, grades }: TrialResult): { code: string; message: string } {
  if (error !== undefined) return { code: error.code, message: error.message };
  const failed = grades.find(({ outcome }) => outcome === "error");
  return { code: "grader-failed", message: failed?.evidence ?? "a check failed to run" };
}
