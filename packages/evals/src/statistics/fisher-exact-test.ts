import { binomialProbability } from "./distributions.ts";

interface Passed {
  readonly passed: number;
  readonly n: number;
}

/** How probably the second of two groups, unpaired, passes at most as often as it did when nothing changed. Exact. */
export function fisherExactTest(first: Passed, second: Passed): number {
  const passed = first.passed + second.passed;
  let p = 0;
  for (let count = Math.max(0, passed - first.n); count <= second.passed; count++) {
    p += tableProbability(count, passed, second.n, first.n);
  }
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
