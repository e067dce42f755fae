import { binomialProbability, binomialTail, normalQuantile } from "./distributions.ts";
import { createRandom, type Random } from "./random.ts";
import { CONFIDENCE, type Difference, wilsonInterval } from "./rates.ts";

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

interface McnemarTest {
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
  /** Share of pairs that got better minus share that got worse. */
  readonly difference: number;
  /** Share of pairs that differ at all; at least the size of the difference. */
  readonly discordant: number;
}

/** How probably the exact test finds such an effect in so many pairs: all outcomes, enumerated. */
export function mcnemarPower(
  pairs: number,
  { difference, discordant }: PairedEffect,
  alpha = ALPHA,
): number {
  if (discordant <= 0) return 0;
  const better = (discordant + difference) / (2 * discordant);
  let power = 0;
  let critical = -1;
  for (let differing = 0; differing <= pairs; differing++) {
    // The most of the rarer kind with which the test still rejects grows by at most one.
    if (2 * binomialTail(critical + 1, differing, 0.5) <= alpha) critical++;
    if (critical < 0) continue;
    const rejects =
      binomialTail(critical, differing, better) + binomialTail(critical, differing, 1 - better);
    power += binomialProbability(differing, pairs, discordant) * rejects;
  }
  return power;
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
