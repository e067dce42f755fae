import type { Budget, Model, RunPolicy } from "@skillwright/agent";
import type { Skills } from "@skillwright/core";
import type { Redactor } from "@skillwright/runtime";
import type { EvalCase } from "../cases/eval-case.ts";
import type { GradeEnvironment } from "../grade/grade-trial.ts";
import type { Arm } from "../results/eval-results.ts";
import type { TrialError } from "./trial-error.ts";
import type { TrialJob } from "./trial-job.ts";

/** What an eval consists of, beside its jobs. */
export interface EvalInputs {
  readonly caseOf: (caseId: string) => EvalCase | undefined | Promise<EvalCase | undefined>;
  /** The catalog of an arm, with all neighbours: never only the skill that is tested. */
  readonly skillsFor: (arm: Arm["name"], evalCase: EvalCase) => Promise<Skills>;
  /** A trial that takes longer is an error. Default: two minutes. */
  readonly timeoutMs?: number;
  /** Of one trial. */
  readonly budget?: Partial<Budget>;
}

/** What carries out trials. Keys, policy and sandbox are those of this machine; jobs carry none of them. */
export interface TrialWorker {
  /** Finds the inputs of an eval. Rejects for an eval that it cannot get. */
  readonly inputs: (evalDigest: string) => EvalInputs | Promise<EvalInputs>;
  /** Called for every trial, so that one trial knows nothing of another. */
  readonly openModel: (place: TrialPlace) => Model | Promise<Model>;
  /** What a trial may do in its own working directory. Default: only use skills and answer. */
  readonly openPolicy?: (place: TrialPlace) => TrialPolicy;
  /** What graders need beside the trial itself. */
  readonly graders?: Omit<GradeEnvironment, "directory">;
  /** Where working directories are made. */
  readonly folder: string;
  /** Takes secrets out of what is kept. Default: those that can be told by their shape. */
  readonly redactor?: Redactor;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
}

/** Where one trial works. */
export interface TrialPlace {
  readonly directory: string;
  readonly skills: Skills;
  readonly evalCase: EvalCase;
  readonly job: TrialJob;
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
