import { clusterBootstrap, type Row, sumsOfMeans } from "../statistics/cluster-bootstrap.ts";
import type { CostRatio } from "./cost-summary.ts";

/** What a case cost in each trial of two arms, or of two evals. */
export interface PairedCost {
  readonly caseId: string;
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** The mean of the first over the mean of the second; null when the second cost nothing. */
export function costRatio(pairs: readonly PairedCost[], seed: number): CostRatio | null {
  const cases = pairs.map(rowsOf);
  const value = ratioOf(sumsOfMeans(cases));
  if (value === undefined) return null;
  // Where every case has the same ratio, as when nothing changed, each sample has it too.
  const isSame = cases.flat().every(([first = 0, second = 0]) => first === second * value);
  const interval = isSame ? undefined : clusterBootstrap(cases, ratioOf, { seed });
  const { low, high } = interval ?? { low: value, high: value };
  return { value, low: Math.min(low, value), high: Math.max(high, value), n: cases.length };
}

/** The shorter list is filled up with its mean, so that no trial counts more than another. */
function rowsOf({ first, second }: PairedCost): readonly Row[] {
  const [meanFirst, meanSecond] = [meanOf(first), meanOf(second)];
  return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [
    first[i] ?? meanFirst,
    second[i] ?? meanSecond,
  ]);
}

function ratioOf([first = 0, second = 0]: Float64Array): number | undefined {
  return second > 0 ? first / second : undefined;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
