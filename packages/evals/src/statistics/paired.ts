import { binomialTail, normalQuantile } from "./distributions.ts";
import { createRandom, type Random } from "./random.ts";
import { CONFIDENCE, type Difference, wilsonInterval } from "./rates.ts";

/** Less is rounding. */
const DUST = 1e-12;

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
  const binary = Math.sqrt(
    first.mean * (1 - first.mean) * second.mean * (1 - second.mean),
  );
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
  /** `exact`: all signs were tried. */
  readonly method: "exact" | "monte-carlo";
  readonly flips: number;
}

const EXACT_LIMIT = 16;
const SAMPLES = 50_000;

/**
 * For differences of pairs that would be as likely with the other sign if nothing had changed. With many
 * differences signs are drawn; then p is never 0, and the one drawn by nature counts as well.
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
    return { p: far / sums.length, mean, n, method: "exact", flips: sums.length };
  }
  const random = createRandom(seed);
  let far = 1;
  for (let i = 0; i < SAMPLES; i++) if (isAsFar(drawnSum(sizes, random))) far++;
  return { p: far / (SAMPLES + 1), mean, n, method: "monte-carlo", flips: SAMPLES };
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
