/** One thing that was checked. */
export interface Grade {
  readonly metric: Metric;
  /** The sentence: `the answer contains "42"`. */
  readonly text: string;
  readonly outcome: Outcome;
  /** From 0 to 1; partial credit of a sequence or a script. */
  readonly score: number;
  /** What was seen. */
  readonly evidence: string;
}

export type Metric = "trigger" | "sequence" | "output" | "cost" | "judge";

/**
 * `error`: it could not be told, such as a grader that crashed. `unjudged`: nobody was there to tell: of the metric
 * `judge`, a statement in words without a judge; of any other, see `isUnsupported`. Neither is a pass or a fail.
 */
export type Outcome = "pass" | "fail" | "error" | "unjudged";

/** An expectation that cannot be checked here, whoever judges; not a statement that waits for a judge. */
export function isUnsupported({ metric, outcome }: Pick<Grade, "metric" | "outcome">): boolean {
  return outcome === "unjudged" && metric !== "judge";
}

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
