import type { PairedComparison } from "../summary/paired-comparison.ts";
import type { CostRatio } from "../summary/eval-summary.ts";
import type { Flips } from "./find-flips.ts";
import type { Gate } from "../statistics/paired.ts";

/** Whether it got worse since the baseline. */
export interface EvalComparison {
  readonly ok: true;
  readonly schemaVersion: 1;
  readonly status: ComparisonStatus;
  readonly sentence: string;
  /** The command that helps next. */
  readonly next: string;
  /** The same request gets the same answer in both: then every flip counts and nothing is left to chance. */
  readonly isDeterministic: boolean;
  /** What makes the two hard to compare, and what was left out. */
  readonly notes: readonly string[];
  /** What is different in the setup: a reason to compare, or a reason not to. */
  readonly changes: SetupChanges;
  readonly cases: ComparedCases;
  /** Of the pass rates, over all compared cases; null when the models are deterministic. */
  readonly gate: Gate | null;
  readonly test: PairedComparison["test"] | null;
  readonly cost: readonly CostFinding[];
  /** Cases that were tried again because they looked worse; of a saved baseline only the new version can be. */
  readonly retries: { readonly cases: readonly string[]; readonly isBaselineSaved: boolean };
  /** Of the tested arm. */
  readonly errors: { readonly before: ErrorCount; readonly now: ErrorCount };
}

/** Trials that say nothing about the skill. */
export interface ErrorCount {
  readonly errors: number;
  readonly trials: number;
  /** Cases that have no result because of them. */
  readonly lost: readonly string[];
  readonly first?: { readonly caseId: string; readonly code: string; readonly message: string };
}

/**
 * `regression`: it got worse, cases are gone, or new ones fail. `inconclusive`: a drop of more than the margin, or of a
 * case, can be neither shown nor excluded. `errors`: cases
 * have no result now, or too many trials ended in an error. `no-data`: no case can be compared.
 */
export type ComparisonStatus =
  | "same"
  | "better"
  | "regression"
  | "inconclusive"
  | "errors"
  | "no-data";

export interface SetupChanges {
  readonly model: { readonly before: string; readonly now: string } | null;
  /** Without one: `none`. */
  readonly judge: { readonly before: string; readonly now: string } | null;
  readonly skills: readonly {
    readonly name: string;
    readonly change: "changed" | "added" | "removed";
  }[];
  readonly areCasesChanged: boolean;
  readonly version: { readonly before: string; readonly now: string } | null;
}

export interface ComparedCases extends Flips {
  /** Their request or their checks are not what they were. */
  readonly changed: readonly { readonly caseId: string; readonly why: string }[];
  /** They had a result and have none now, or the other way round. */
  readonly errors: readonly { readonly caseId: string; readonly side: "before" | "now" }[];
  readonly added: readonly string[];
  /** New ones, changed ones, and ones without a result before, that do not pass: nothing before excuses them. */
  readonly failing: readonly string[];
  readonly missing: readonly string[];
}

export interface CostFinding {
  readonly measure: CostMeasure;
  /** Mean per case. */
  readonly before: number;
  readonly now: number;
  /** Now over before; null when it cost nothing before. */
  readonly ratio: CostRatio | null;
  /** The increase that is allowed, such as 0.1; null when none was named. */
  readonly budget: number | null;
  readonly isRegression: boolean;
}

export type CostMeasure = "tokens" | "toolCalls" | "turns" | "timeMs" | "cost";

export interface CompareOptions {
  /** Tolerated drop in pass rate. Default: 0.05. Deterministic models get none. */
  readonly margin?: number;
  /** Increase that is allowed, as a share: `{ tokens: 0.1 }`. What is not named is shown and not judged. */
  readonly costBudget?: Readonly<Partial<Record<CostMeasure, number>>>;
  /** With a larger share of errors there is no verdict. Default: 0.1. */
  readonly maximumErrorRate?: number;
  /** Only some cases were asked for: those that are missing are then no loss. */
  readonly isPart?: boolean;
  /** Exit code 1 also when the comparison is inconclusive. */
  readonly failWhenInconclusive?: boolean;
}
