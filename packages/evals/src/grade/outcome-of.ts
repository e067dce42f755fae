import type { Grade, Outcome } from "./grade.ts";
import { isUnsupported } from "./is-unsupported.ts";

/**
 * What all grades of a trial come to. One that failed decides: whatever could not be told would not make
 * it right. Else one that could not be told does: nobody may call that a pass or a fail. Nor what has a check
 * that cannot be done here: it is unjudged. Words without a judge count only when there is nothing else; no
 * grades at all are nothing that was judged.
 */
export function outcomeOf(grades: readonly Pick<Grade, "metric" | "outcome">[]): Outcome {
  const has = (wanted: Outcome) => grades.some(({ outcome }) => outcome === wanted);
  if (has("fail")) return "fail";
  if (has("error")) return "error";
  return has("pass") && !grades.some(isUnsupported) ? "pass" : "unjudged";
}
