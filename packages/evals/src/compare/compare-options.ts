import type { CostMeasure } from "./eval-comparison.ts";

export interface CompareOptions {
  /** A loss of pass rate up to this is borne; 0.05 by default. Nothing is borne of deterministic models. */
  readonly margin?: number;
  /** Increase that is allowed, as a share: `{ tokens: 0.1 }`. What is not named is shown and not judged. */
  readonly costBudget?: Readonly<Partial<Record<CostMeasure, number>>>;
  /** A larger share of errors now says that nothing can be said; 0.05 by default. */
  readonly maximumErrorRate?: number;
  /** Only some cases were asked for: those that are missing are then no loss. */
  readonly isPart?: boolean;
  /** Where doubt has to stop a release. */
  readonly failWhenInconclusive?: boolean;
}

export const MARGIN = 0.05;
