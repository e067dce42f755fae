import { createRandom } from "./random.ts";
import { CONFIDENCE, type Interval, percentileOfSorted } from "./rates.ts";

/** What one trial adds, such as tokens before and tokens now: as many numbers as every other one. */
export type Row = readonly number[];

export interface BootstrapOptions {
  readonly seed: number;
  readonly samples?: number;
  readonly confidence?: number;
}

export interface BootstrapInterval extends Interval {
  /** Clusters, such as cases. */
  readonly n: number;
  readonly samples: number;
}

const SAMPLES = 2000;
const FEWEST_SAMPLES = 500;
/** Of large evals fewer samples do: their ends move less. */
const MOST_DRAWS = 4_000_000;

/**
 * Draws clusters (cases) with replacement and, within each, as many of its rows (trials), and takes the
 * middle part of what the statistic then is. It is given the sums over clusters of the means of their rows;
 * where it cannot be told it is undefined. No interval when there is no cluster, or nothing was ever told.
 */
export function clusterBootstrap(
  clusters: readonly (readonly Row[])[],
  statistic: (sums: Float64Array) => number | undefined,
  { seed, samples, confidence = CONFIDENCE }: BootstrapOptions,
): BootstrapInterval | undefined {
  const full = clusters.filter((rows) => rows.length > 0);
  if (full.length === 0) return undefined;
  const count = samples ?? samplesFor(full.length);
  const drawSums = sampler(full, seed);
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const value = statistic(drawSums());
    if (value !== undefined && Number.isFinite(value)) values.push(value);
  }
  const sorted = Float64Array.from(values).sort();
  const low = percentileOfSorted(sorted, (1 - confidence) / 2);
  const high = percentileOfSorted(sorted, (1 + confidence) / 2);
  if (low === undefined || high === undefined) return undefined;
  return { low, high, n: full.length, samples: count };
}

/** What the statistic is given without any drawing. */
export function sumsOfMeans(clusters: readonly (readonly Row[])[]): Float64Array {
  const sums = new Float64Array(clusters.find(([first]) => first !== undefined)?.[0]?.length ?? 0);
  for (const rows of clusters) {
    for (const row of rows) {
      for (const [i, value] of row.entries()) sums[i] = (sums[i] ?? 0) + value / rows.length;
    }
  }
  return sums;
}

/** All rows in one array, since millions of them are drawn; the sums are the same array every time. */
function sampler(clusters: readonly (readonly Row[])[], seed: number): () => Float64Array {
  const random = createRandom(seed);
  const sums = new Float64Array(clusters[0]?.[0]?.length ?? 0);
  const width = sums.length;
  const numbers = Float64Array.from(clusters.flat(2));
  const starts = new Uint32Array(clusters.length + 1);
  for (const [i, rows] of clusters.entries()) starts[i + 1] = (starts[i] ?? 0) + rows.length;
  return () => {
    sums.fill(0);
    for (let drawn = 0; drawn < clusters.length; drawn++) {
      const cluster = random.below(clusters.length);
      const start = starts[cluster] ?? 0;
      const rows = (starts[cluster + 1] ?? 0) - start;
      for (let i = 0; i < rows; i++) {
        const row = start + (rows === 1 ? 0 : random.below(rows));
        for (let column = 0; column < width; column++) {
          sums[column] = (sums[column] ?? 0) + (numbers[row * width + column] ?? 0) / rows;
        }
      }
    }
    return sums;
  };
}

function samplesFor(clusters: number): number {
  return Math.max(FEWEST_SAMPLES, Math.min(SAMPLES, Math.floor(MOST_DRAWS / clusters)));
}
