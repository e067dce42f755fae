import { binomialProbability, binomialTail, normalQuantile } from "./distributions.ts";
import { createRandom, type Random } from "./random.ts";
import { CONFIDENCE, type Difference, wilsonInterval } from "./rates.ts";

/** Less is rounding. */
const DUST = 1e-12;

/** How many of the trials that were judged passed. */
export interface PassShare {
  readonly passed: number;
  readonly judged: number;
}

/** What a case came to in two runs: the share of its trials that passed, and how many trials that rests on. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  /** Default: 1. */
  readonly firstTrials?: number;
  readonly secondTrials?: number;
}

/**
 * `first` minus `second` by Newcombe's method for paired proportions (1998, method 10): the Wilson intervals
 * of both, joined with their correlation. Each interval rests on the effective number of trials, so that more
 * trials narrow it. With one trial a case it is Newcombe's formula; it has a width even when no pair differs.
 */
export function pairedDifference(pairs: readonly Pair[], confidence = CONFIDENCE): Difference {
  const n = pairs.length;
  if (n === 0) return { value: 0, low: -1, high: 1, n };
  const first = sideOf(pairs.map((pair) => [pair.first, pair.firstTrials ?? 1]));
  const second = sideOf(pairs.map((pair) => [pair.second, pair.secondTrials ?? 1]));
  const a = wilsonInterval(first.mean * first.effective, first.effective, confidence);
  const b = wilsonInterval(second.mean * second.effective, second.effective, confidence);
  const correlation = correlationOf(pairs, first, second);
  const value = first.mean - second.mean;
  return {
    value,
    low: Math.max(-1, value - joined(first.mean - a.low, b.high - second.mean, correlation)),
    high: Math.min(1, value + joined(a.high - first.mean, second.mean - b.low, correlation)),
    n,
  };
}

interface Side {
  readonly mean: number;
  readonly variance: number;
  /** As many independent trials would tell as much about the mean. */
  readonly effective: number;
}

/** Trials of a case resemble each other; how much shows in the variance of the shares. */
function sideOf(shares: readonly (readonly [share: number, trials: number])[]): Side {
  const n = shares.length;
  const mean = shares.reduce((sum, [share]) => sum + share, 0) / n;
  const variance = shares.reduce((sum, [share]) => sum + (share - mean) ** 2, 0) / n;
  const all = n ** 2 / shares.reduce((sum, [, trials]) => sum + 1 / trials, 0);
  const clustered = variance > DUST ? (n * mean * (1 - mean)) / variance : Infinity;
  return { mean, variance, effective: Math.min(all, clustered) };
}

function joined(one: number, other: number, correlation: number): number {
  return Math.sqrt(Math.max(0, one * one - 2 * correlation * one * other + other * other));
}

/** With Newcombe's correction: a positive correlation is taken less seriously when there are few pairs. */
function correlationOf(pairs: readonly Pair[], first: Side, second: Side): number {
  const n = pairs.length;
  if (first.variance <= DUST || second.variance <= DUST) return 0;
  const products = pairs.reduce(
    (sum, pair) => sum + (pair.first - first.mean) * (pair.second - second.mean),
    0,
  );
  const correlation = products / n / Math.sqrt(first.variance * second.variance);
  if (correlation <= 0) return correlation;
  const binary = Math.sqrt(first.mean * (1 - first.mean) * second.mean * (1 - second.mean));
  return Math.max(0, correlation - 1 / (2 * n * binary));
}

interface McnemarTest {
  /** Exact and two-sided. */
  readonly p: number;
  /** Pairs that differ: all that the test rests on. */
  readonly n: number;
}

/** For pairs of yes and no: how many got better and how many worse. Pairs that agree say nothing. */
export function mcnemarTest(better: number, worse: number): McnemarTest {
  const n = better + worse;
  if (n === 0) return { p: 1, n };
  return { p: Math.min(1, 2 * binomialTail(Math.min(better, worse), n, 0.5)), n };
}

interface SignFlipTest {
  /** Two-sided. */
  readonly p: number;
  readonly mean: number;
  /** Differences, zeros among them. */
  readonly n: number;
  /** `exact`: of all signs. */
  readonly method: "exact" | "monte-carlo";
}

const EXACT_LIMIT = 16;
const SAMPLES = 50_000;
/** Shares of trials are whole multiples of one over this, or less. */
const MOST_PARTS = 400;
const MOST_STEPS = 20_000_000;

/**
 * For differences of pairs that would be as likely with the other sign if nothing had changed. With many
 * irregular differences signs are drawn; then p is never 0, and the one drawn by nature counts as well.
 */
export function signFlipTest(differences: readonly number[], seed: number): SignFlipTest {
  const wrong = differences.find((difference) => !Number.isFinite(difference));
  if (wrong !== undefined) throw new RangeError(`A difference must be a number, not ${wrong}`);
  const n = differences.length;
  const total = differences.reduce((sum, difference) => sum + difference, 0);
  const mean = n === 0 ? 0 : total / n;
  // A zero has no sign.
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const tolerance = 1e-12 * sizes.reduce((sum, size) => sum + size, 0);
  const isAsFar = (sum: number) => Math.abs(sum) >= Math.abs(total) - tolerance;
  if (sizes.length <= EXACT_LIMIT) {
    const sums = allSums(sizes);
    const far = sums.reduce((count, sum) => count + (isAsFar(sum) ? 1 : 0), 0);
    return { p: far / sums.length, mean, n, method: "exact" };
  }
  const shares = sharesTest(sizes, total);
  if (shares !== undefined) return { p: shares, mean, n, method: "exact" };
  const random = createRandom(seed);
  let far = 1;
  for (let i = 0; i < SAMPLES; i++) if (isAsFar(drawnSum(sizes, random))) far++;
  return { p: far / (SAMPLES + 1), mean, n, method: "monte-carlo" };
}

/** Exact for shares of few trials, however many pairs: all are whole multiples of one part, and so are their sums. */
function sharesTest(sizes: readonly number[], total: number): number | undefined {
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6;
  let parts = 1;
  while (parts <= MOST_PARTS && !sizes.every((size) => isWhole(size * parts))) parts++;
  const units = sizes.map((size) => Math.round(size * parts));
  const most = units.reduce((sum, unit) => sum + unit, 0);
  if (parts > MOST_PARTS || most * units.length > MOST_STEPS) return undefined;
  // How probably the positive ones sum up to each number.
  const odds = new Float64Array(most + 1);
  odds[0] = 1;
  let filled = 0;
  for (const unit of units) {
    filled += unit;
    for (let sum = filled; sum >= 0; sum--) {
      odds[sum] = ((odds[sum] ?? 0) + (odds[sum - unit] ?? 0)) / 2;
    }
  }
  const seen = Math.round(Math.abs(total) * parts);
  const p = odds.reduce((sum, one, at) => (Math.abs(2 * at - most) >= seen ? sum + one : sum), 0);
  return Math.min(1, p);
}

function allSums(sizes: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** sizes.length);
  let filled = 1;
  for (const size of sizes) {
    for (let i = 0; i < filled; i++) {
      sums[filled + i] = (sums[i] ?? 0) - size;
      sums[i] = (sums[i] ?? 0) + size;
    }
    filled *= 2;
  }
  return sums;
}

function drawnSum(sizes: readonly number[], random: Random): number {
  let sum = 0;
  let bits = 0;
  for (let i = 0; i < sizes.length; i++) {
    bits = i % 32 === 0 ? random.bits() : bits >>> 1;
    const size = sizes[i] ?? 0;
    sum += (bits & 1) === 0 ? size : -size;
  }
  return sum;
}

interface PairedEffect {
  /** Mean difference of a pair. */
  readonly difference: number;
  /** Mean square of the differences. With one trial a case: the share of pairs that differ. */
  readonly discordant: number;
}

const ALPHA = 0.05;
const POWER = 0.8;

/** Pairs of cases that show such an effect with 80 % power, two-sided at 5 % (Miettinen's formula). */
export function pairsNeeded(
  { difference, discordant }: PairedEffect,
  { alpha = ALPHA, power = POWER }: { readonly alpha?: number; readonly power?: number } = {},
): number {
  if (difference === 0) return Number.POSITIVE_INFINITY;
  const root =
    normalQuantile(1 - alpha / 2) * Math.sqrt(discordant) +
    normalQuantile(power) * Math.sqrt(Math.max(0, discordant - difference ** 2));
  return Math.ceil((root / difference) ** 2);
}

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
