import { binomialProbability } from "./binomial-probability.ts";

/** A term this much smaller than the sum changes nothing any more. */
const NEGLIGIBLE = 1e-18;

/** That at most `count` of `n` succeed. */
export function binomialTail(count: number, n: number, probability: number): number {
  if (count < 0) return 0;
  if (count >= n || probability <= 0) return 1;
  if (probability >= 1) return 0;
  // Terms get smaller away from the mean: the tail is summed from its large end.
  if (count <= n * probability) return sumDown(count, n, probability);
  return 1 - sumDown(n - count - 1, n, 1 - probability);
}

function sumDown(from: number, n: number, probability: number): number {
  const odds = (1 - probability) / probability;
  let term = binomialProbability(from, n, probability);
  let sum = term;
  for (let i = from; i > 0 && term > sum * NEGLIGIBLE; i--) {
    term *= (i / (n - i + 1)) * odds;
    sum += term;
  }
  return Math.min(1, sum);
}
