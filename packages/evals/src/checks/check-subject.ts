import type { EvalCase } from "../cases/eval-case.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { RunGrader } from "./run-grader.ts";

/** What is checked, and where. */
export interface CheckSubject {
  readonly evalCase: Pick<EvalCase, "input" | "origin">;
  readonly trajectory: Trajectory;
  readonly environment: CheckEnvironment;
}

export interface CheckEnvironment {
  /** Where the trial worked. Without it, nothing can be said about files. */
  readonly directory?: string;
  /** Without it, graders that are programs are an error. */
  readonly runGrader?: RunGrader;
  readonly signal?: AbortSignal;
}
