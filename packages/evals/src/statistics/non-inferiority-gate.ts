import type { Difference } from "./rates.ts";

export interface Gate {
  /**
   * `pass`: the whole interval lies above −margin. `fail`: all of it lies below. `inconclusive`: it holds
   * −margin, so that more cases are needed.
   */
  readonly status: "pass" | "fail" | "inconclusive";
  /** The interval lies below 0, though perhaps within the margin. */
  readonly isWorse: boolean;
  readonly margin: number;
  readonly difference: Difference;
}

/** Whether now is not worse than before by more than the margin. The difference is now minus before. */
export function nonInferiorityGate(difference: Difference, margin: number): Gate {
  if (!(margin >= 0 && margin < 1)) {
    throw new RangeError(`A margin is at least 0 and less than 1, not ${margin}`);
  }
  const isWorse = difference.high < 0;
  const base = { isWorse, margin, difference };
  if (difference.high < -margin) return { status: "fail", ...base };
  // With a margin of 0, only what is better is shown not to be worse.
  if (difference.low > -margin) return { status: "pass", ...base };
  return { status: "inconclusive", ...base };
}
