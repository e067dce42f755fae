import { binomialProbability } from "./binomial-probability.ts";
import { binomialTail } from "./binomial-tail.ts";

export interface McnemarTest {
  /** Exact and two-sided. */
  readonly p: number;
  /** Less cautious: counts the outcome that was seen by half. */
  readonly midP: number;
  /** Pairs that differ: all that the test rests on. */
  readonly n: number;
}

/** For pairs of yes and no: how many got better and how many worse. Pairs that agree say nothing. */
export function mcnemarTest(better: number, worse: number): McnemarTest {
  const n = better + worse;
  if (n === 0) return { p: 1, midP: 1, n };
  const fewer = Math.min(better, worse);
  const tail = binomialTail(fewer, n, 0.5);
  const seen = binomialProbability(fewer, n, 0.5);
  return { p: Math.min(1, 2 * tail), midP: Math.min(1, 2 * tail - seen), n };
}
