import type { Interval } from "./interval.ts";
import { withoutDust } from "./without-dust.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/**
 * A share that says how many it rests on. What is independent is a case: one with several trials counts
 * once, with the share of its trials, so `successes` may be broken. The Wilson interval with the number of
 * cases is then rather too wide than too narrow.
 */
export interface Rate extends Interval {
  /** Null when it rests on nothing. */
  readonly value: number | null;
  readonly successes: number;
  /** Cases. */
  readonly n: number;
  readonly trials: number;
}

/** Of each case with at least one trial, which of its trials succeeded. */
export function rateOfCases(cases: Iterable<readonly boolean[]>): Rate {
  let successes = 0;
  let n = 0;
  let trials = 0;
  for (const outcomes of cases) {
    if (outcomes.length === 0) continue;
    successes += outcomes.filter(Boolean).length / outcomes.length;
    trials += outcomes.length;
    n++;
  }
  return rateOf(successes, n, trials);
}

/** Both may be sums of the shares of trials. */
export function rateOf(sum: number, cases: number, trials = cases): Rate {
  const [successes, n] = [withoutDust(sum), withoutDust(cases)];
  const share = successes === n ? 1 : sum / cases;
  return { value: n > 0 ? share : null, ...wilsonInterval(successes, n), successes, n, trials };
}
