import type { EvalSetup, TrialResult } from "../results/eval-results.ts";
import type { ArmSummary, CaseSummary, ExpectationCount } from "./eval-summary.ts";
import type { PairedComparison } from "./paired-comparison.ts";
import type { PreferenceSummary } from "./summarize-preferences.ts";

/** Up to this share of the trials of the tested arm. */
export const MAXIMUM_ERROR_RATE = 0.05;

export interface VerdictOptions {
  /** 1: every trial of every case has to pass. Below, it has to be shown that so many cases pass. */
  readonly minimumPassRate?: number;
  /** A larger share of errors says that nothing can be said. */
  readonly maximumErrorRate?: number;
}

export interface VerdictFacts {
  readonly setup: EvalSetup;
  readonly trials: readonly TrialResult[];
  readonly cases: readonly CaseSummary[];
  /** The tested one first. */
  readonly arms: readonly ArmSummary[];
  readonly paired: readonly PairedComparison[];
  readonly preferences?: readonly PreferenceSummary[];
  readonly expectations: ExpectationCount;
}
