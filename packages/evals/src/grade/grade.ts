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
