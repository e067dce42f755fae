import { createRandom, type Random } from "./create-random.ts";

export interface SignFlipTest {
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
