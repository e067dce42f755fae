import { CONFIDENCE, type Difference } from "./interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/** What a case came to in two runs: 0 or 1, or the share of its trials that passed. */
export interface Pair {
  readonly first: number;
  readonly second: number;
}

/**
 * `first` minus `second` by Newcombe's method for paired proportions (1998, method 10): the Wilson intervals
 * of both, put together with their correlation. For shares of trials it is the same formula with the
 * covariance of the shares. It has a width even when no pair differs.
 */
export function pairedDifference(pairs: readonly Pair[], confidence = CONFIDENCE): Difference {
  const n = pairs.length;
  if (n === 0) return { value: 0, low: -1, high: 1, n };
  const first = pairs.reduce((sum, pair) => sum + pair.first, 0) / n;
  const second = pairs.reduce((sum, pair) => sum + pair.second, 0) / n;
  const a = wilsonInterval(first * n, n, confidence);
  const b = wilsonInterval(second * n, n, confidence);
  const correlation = correlationOf(pairs, first, second);
  const value = first - second;
  return {
    value,
    low: Math.max(-1, value - joined(first - a.low, b.high - second, correlation)),
    high: Math.min(1, value + joined(a.high - first, second - b.low, correlation)),
    n,
  };
}

function joined(one: number, other: number, correlation: number): number {
  return Math.sqrt(Math.max(0, one * one - 2 * correlation * one * other + other * other));
}

/** With Newcombe's correction: a positive covariance is taken less seriously when there are few pairs. */
function correlationOf(pairs: readonly Pair[], first: number, second: number): number {
  const n = pairs.length;
  const variances = first * (1 - first) * second * (1 - second);
  if (variances <= 0) return 0;
  const products = pairs.reduce((sum, pair) => sum + pair.first * pair.second, 0);
  const covariance = products / n - first * second;
  const corrected = covariance > 0 ? Math.max(0, covariance - 1 / (2 * n)) : covariance;
  return corrected / Math.sqrt(variances);
}
