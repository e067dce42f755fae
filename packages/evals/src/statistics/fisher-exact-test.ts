import { binomialProbability } from "./distributions.ts";

/** Tables within this of the one that was seen are as unlikely; their sums differ by rounding only. */
const AS_UNLIKELY = 1 + 1e-7;

/** One group of trials and another, unpaired. Exact and two-sided: all tables that are as unlikely. */
export function fisherExactTest(
  first: { readonly passed: number; readonly n: number },
  second: { readonly passed: number; readonly n: number },
): number {
  const passed = first.passed + second.passed;
  const from = Math.max(0, passed - second.n);
  const to = Math.min(passed, first.n);
  const probabilities: number[] = [];
  for (let count = from; count <= to; count++) {
    probabilities.push(tableProbability(count, passed, first.n, second.n));
  }
  const seen = (probabilities[first.passed - from] ?? 1) * AS_UNLIKELY;
  const p = probabilities.reduce((sum, one) => (one <= seen ? sum + one : sum), 0);
  return Math.min(1, p);
}

/** Hypergeometric, as a quotient of binomials. */
function tableProbability(count: number, passed: number, first: number, second: number): number {
  const all = first + second;
  if (passed === 0 || passed === all) return 1;
  const share = passed / all;
  return (
    (binomialProbability(count, first, share) *
      binomialProbability(passed - count, second, share)) /
    binomialProbability(passed, all, share)
  );
}
