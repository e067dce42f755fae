import type { ExpectedSkills } from "../cases/eval-case.ts";
import type { Arm } from "../results/eval-results.ts";
import type { Interval, Rate } from "../statistics/rates.ts";

/**
 * How well the right skills are selected. A case counts once: with several trials, by the share of them.
 * Trials that ended in an error are in no number but `left.errors`.
 */
export interface TriggerSummary {
  readonly arm: Arm["name"];
  /** Cases that say which skills are right and of which at least one trial ended. */
  readonly n: number;
  readonly trials: number;
  readonly left: LeftOut;
  readonly overall: TriggerScores & {
    /** All that the case asks of the selection. */
    readonly correct: Rate;
  };
  readonly skills: readonly (TriggerScores & { readonly skill: string })[];
  readonly abstention: {
    /** Of the cases in which no skill is right: none was selected. */
    readonly rightly: Rate;
    /** Of the cases in which a skill is right: none was selected. */
    readonly wrongly: Rate;
  };
  readonly confusion: readonly ConfusionRow[];
  readonly mistakes: readonly TriggerMistake[];
}

export interface TriggerScores {
  /** Of what was selected. A skill that is neither wanted nor unwanted by the case is not counted. */
  readonly precision: Rate;
  /** Of what should have been selected. */
  readonly recall: Rate;
  readonly f1: F1;
}

/** By bootstrap over cases; where all or none is right, which a bootstrap cannot doubt, by Wilson. */
export interface F1 extends Interval {
  /** Null when nothing was selected and nothing should have been. */
  readonly value: number | null;
  readonly n: number;
}

export interface LeftOut {
  /** Trials that ended in an error. */
  readonly errors: number;
  /** Cases without any trial that ended otherwise. */
  readonly casesWithErrorsOnly: readonly string[];
  /** Cases whose actions are given: they test the harness. */
  readonly mock: number;
  /** Cases that do not say which skills are right. */
  readonly silent: number;
}

export interface ConfusionRow {
  /**
   * `skill`: that one is right. `none`: no skill is right. `open`: the case only says which skills are
   * wrong.
   */
  readonly expected: { readonly kind: "skill" | "none" | "open"; readonly skill?: string };
  readonly n: number;
  /** Most cases first; those of a row sum to its `n`. */
  readonly selected: readonly SelectedCases[];
}

interface SelectedCases {
  /** Without one: none was selected. */
  readonly skill?: string;
  readonly cases: number;
  /** In a row that is `open`: in so many of them the case names this skill as wrong. */
  readonly wrong?: number;
}

export interface TriggerMistake {
  readonly caseId: string;
  readonly input: string;
  readonly expected: readonly string[];
  /**
   * `stolen`: `skill` was selected while an expected one was not. `extra`: beside all expected ones.
   * `unneeded`: though no skill is right. `forbidden`: though the case names it as wrong. `missed`: the
   * expected `skill` was not selected, and no other in its place.
   */
  readonly kind: "stolen" | "extra" | "unneeded" | "forbidden" | "missed";
  readonly skill: string;
  /** In so many of the trials that ended. */
  readonly trials: number;
  readonly of: number;
}

/** A case with the skills that each of its trials selected. */
export interface TriggerCase {
  readonly id: string;
  readonly input: string;
  readonly expected: ExpectedSkills;
  readonly trials: readonly ReadonlySet<string>[];
}
