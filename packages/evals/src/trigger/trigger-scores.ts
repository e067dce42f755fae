import { clusterBootstrap, type Row, sumsOfMeans } from "../statistics/cluster-bootstrap.ts";
import { rateOf } from "../statistics/rate.ts";
import { wilsonInterval } from "../statistics/wilson-interval.ts";
import type { F1, TriggerScores } from "./trigger-summary.ts";

/** What a trial adds: how many were selected rightly, wrongly, and not though expected. */
export interface Counts {
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
}

/** Of each case the counts of its trials. */
export function triggerScores(cases: readonly (readonly Counts[])[], seed: number): TriggerScores {
  const telling = cases.filter((trials) => trials.some((counts) => sizeOf(counts) > 0));
  const { right, wrong, missing } = sumOfCases(telling);
  const selecting = telling.map((trials) => trials.filter((one) => one.right + one.wrong > 0));
  const expecting = telling.filter((trials) => trials.some((one) => one.right + one.missing > 0));
  const shareSelected = selecting.map((some, i) => some.length / (telling[i]?.length ?? 1));
  const casesSelected = shareSelected.reduce((sum, share) => sum + share, 0);
  return {
    precision: scaled(right, right + wrong, casesSelected, selecting.flat().length),
    recall: scaled(right, right + missing, expecting.length, expecting.flat().length),
    f1: f1Of(telling, seed),
  };
}

/** A case in which several skills are expected is still one case: `n` is never more than the cases. */
function scaled(successes: number, total: number, cases: number, trials: number) {
  const n = Math.min(total, cases);
  return rateOf(total > 0 ? (successes / total) * n : 0, n, trials);
}

function f1Of(cases: readonly (readonly Counts[])[], seed: number): F1 {
  const sums = sumOfCases(cases);
  const value = f1(sums);
  const n = cases.length;
  if (value === undefined) return { value: null, low: 0, high: 1, n };
  const statistic = ([right = 0, wrong = 0, missing = 0]: Float64Array) =>
    f1({ right, wrong, missing });
  const interval = clusterBootstrap(cases.map(rowsOf), statistic, { seed });
  if (interval !== undefined && interval.low < interval.high) {
    const { low, high } = interval;
    return { value, low: Math.min(low, value), high: Math.max(high, value), n };
  }
  // F1 is 2J / (1 + J) of the share J that is right of all that was selected or expected.
  const total = Math.min(sizeOf(sums), n);
  const jaccard = wilsonInterval((sums.right / sizeOf(sums)) * total, total);
  const turn = (share: number) => (2 * share) / (1 + share);
  return { value, low: turn(jaccard.low), high: turn(jaccard.high), n };
}

function f1({ right, wrong, missing }: Counts): number | undefined {
  const total = 2 * right + wrong + missing;
  return total > 0 ? (2 * right) / total : undefined;
}

function sumOfCases(cases: readonly (readonly Counts[])[]): Counts {
  const [right = 0, wrong = 0, missing = 0] = sumsOfMeans(cases.map(rowsOf));
  return { right, wrong, missing };
}

function rowsOf(trials: readonly Counts[]): readonly Row[] {
  return trials.map(({ right, wrong, missing }) => [right, wrong, missing]);
}

function sizeOf({ right, wrong, missing }: Counts): number {
  return right + wrong + missing;
}
