/** Where the true value may well lie. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A measured difference, with what it rests on. */
export interface Difference extends Interval {
  readonly value: number;
  /** Pairs of cases. */
  readonly n: number;
}

export const CONFIDENCE = 0.95;
