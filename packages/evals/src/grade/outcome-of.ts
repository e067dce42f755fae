import type { Grade, Outcome } from "./grade.ts";

/**
 * What all grades of a trial come to. One that failed decides: whatever could not be told would not make
 * it right. Else one that could not be told does: nobody may call that a pass or a fail. What nobody
 * judged counts only when there is nothing else; no grades at all are nothing that was judged.
 */
export function outcomeOf(grades: readonly Pick<Grade, "outcome">[]): Outcome {
  const order = ["fail", "error", "pass"] as const;
  return order.find((one) => grades.some(({ outcome }) => outcome === one)) ?? "unjudged";
}
