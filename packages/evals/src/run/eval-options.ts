import type { Budget, Model, RunPolicy } from "@skillwright/agent";
import type { Skills } from "@skillwright/core";
import type { Redactor } from "@skillwright/runtime";
import type { EvalCase } from "../cases/eval-case.ts";
import type { GradeEnvironment } from "../grade/grade-trial.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";
import type { TrialError } from "./trial-error.ts";

/** What cases are run with. Everything that touches the world comes in here. */
export interface EvalOptions {
  readonly cases: readonly EvalCase[];
  /** The first one is the one that is tested. */
  readonly arms: readonly ArmOptions[];
  /** Called for every trial, so that nothing of one is known in another. */
  readonly openModel: (place: TrialPlace) => Model | Promise<Model>;
  /** As it stands in the results. */
  readonly modelId: string;
  readonly isDeterministic: boolean;
  /** What a trial may do in its own working directory. Default: nothing but skills and answers. */
  readonly openPolicy?: (place: TrialPlace) => TrialPolicy;
  /** What graders need beside the trial itself. */
  readonly graders?: Omit<GradeEnvironment, "directory">;
  /** How often each case is run. Default 1. */
  readonly trials?: number;
  /** How many at once. Default 4. */
  readonly concurrency?: number;
  /** A trial that takes longer is an error. Default two minutes. */
  readonly timeoutMs?: number;
  readonly budget?: Partial<Budget>;
  readonly seed?: number;
  /** Where working directories are made. */
  readonly folder: string;
  /** Results of an earlier, interrupted eval; they are not run again. */
  readonly done?: readonly TrialResult[];
  /** Gets each result as it comes. Awaited, so that what was told is kept. Must not throw. */
  readonly onResult?: (result: TrialResult) => void;
  /** Keeps each result as it comes, and gives what stays of it in memory: that of a journal is small. Default: all. */
  readonly keep?: (result: TrialResult) => TrialResult;
  /** Lets the trials that are under way come to their end, and begins no other. */
  readonly stop?: AbortSignal;
  /** Ends them now; their results are not known then. */
  readonly signal?: AbortSignal;
  /** Takes secrets out of what is kept. Default: those that can be told by their shape. */
  readonly redactor?: Redactor;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
}

export interface ArmOptions {
  readonly arm: Arm;
  /** The catalog of this arm, with all neighbours: never only the skill that is tested. */
  readonly skillsFor: (evalCase: EvalCase) => Promise<Skills>;
  /** Whether it says anything about the case: one that names no skill is the same with and without it. Default: always. */
  readonly isFor?: (evalCase: EvalCase) => boolean;
}

/** What one trial may do. */
export interface TrialPolicy {
  readonly policy: RunPolicy;
  /** Ends the trial, for something that no model can do anything about. */
  readonly signal?: AbortSignal;
  /** What that was, such as a sandbox that is missing. */
  readonly problem?: () => TrialError | undefined;
  /** Removes what the trial left behind outside of its directory. */
  readonly close?: (runId: string) => Promise<void>;
}

/** Where one trial works. */
export interface TrialPlace {
  readonly directory: string;
  readonly skills: Skills;
  readonly plan: TrialPlan;
}

/** One case, in one arm, once. */
export interface TrialPlan {
  readonly evalCase: EvalCase;
  readonly arm: ArmOptions;
  /** From 1. */
  readonly trial: number;
}
