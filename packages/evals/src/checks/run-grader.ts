import type { Failure } from "@skillwright/core";

/**
 * Runs a grader of a case in the sandbox: no network, the working directory of the trial readable, no
 * secrets in its environment. Contract: does not reject for what the grader does; what could not be
 * started or was ended is a `Failure`.
 */
export type RunGrader = (request: GraderRequest) => Promise<GraderRun>;

export interface GraderRequest {
  /** The program: absolute, in the folder of the case. */
  readonly file: string;
  readonly args: readonly string[];
  /** JSON: `{ input, answer, steps }`. */
  readonly stdin: string;
  /** Where the trial worked. */
  readonly directory: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type GraderRun =
  | {
      readonly ok: true;
      /** Null when a signal ended it. */
      readonly exitCode: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | Failure;
