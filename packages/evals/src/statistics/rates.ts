import { normalQuantile } from "./distributions.ts";

/** A sum of shares without what binary fractions leave behind: three thirds are one. */
export function withoutDust(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}

/** Where the true value may well lie. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A measured difference, with what it rests on. */
export interface Difference extends Interval {
  readonly value: number;
  /** Pairs of cases. */
  readonly n: number;
}

export const CONFIDENCE = 0.95;

const USUAL_Z = normalQuantile((1 + CONFIDENCE) / 2);

/** For a share of successes; both may be broken numbers, as when a case with three trials counts once. */
export function wilsonInterval(successes: number, n: number, confidence = CONFIDENCE): Interval {
  if (n <= 0) return { low: 0, high: 1 };
  const z = confidence === CONFIDENCE ? USUAL_Z : normalQuantile((1 + confidence) / 2);
  const share = successes / n;
  const center = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const spread = Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const half = (z * spread) / (1 + (z * z) / n);
  // Rounding must not leave a perfect score outside its own interval.
  return {
    low: successes <= 0 ? 0 : Math.min(share, Math.max(0, center - half)),
    high: successes >= n ? 1 : Math.max(share, Math.min(1, center + half)),
  };
}

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

/** Cases that must all pass before the Wilson interval lies above this rate. */
export function casesToShow(rate: number, confidence = CONFIDENCE): number {
  if (!(rate >= 0 && rate < 1)) throw new RangeError(`A rate below 1 is needed, not ${rate}`);
  const z = normalQuantile((1 + confidence) / 2);
  return Math.floor((z * z * rate) / (1 - rate)) + 1;
}

/** That at least one of k trials passes, without bias, from `passed` of `n` trials; k is at most n. */
export function passAtK(passed: number, n: number, k: number): number {
  return 1 - passAllK(n - passed, n, k);
}

/** That all of k trials pass ("pass^k"), without bias: C(passed, k) / C(n, k). */
export function passAllK(passed: number, n: number, k: number): number {
  if (!(k >= 1 && k <= n)) throw new RangeError(`Of ${n} trials k is 1 to ${n}, not ${k}`);
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, passed - i) / (n - i);
  return share;
}

/** With linear interpolation between the neighbours; undefined of nothing. */
export function percentile(values: readonly number[], share: number): number | undefined {
  return percentileOfSorted(Float64Array.from(values).sort(), share);
}

export function percentileOfSorted(sorted: ArrayLike<number>, share: number): number | undefined {
  const last = sorted.length - 1;
  if (last < 0) return undefined;
  const place = Math.min(Math.max(share, 0), 1) * last;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  return below + (above - below) * (place - Math.floor(place));
}
