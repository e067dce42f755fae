import type { Failure } from "@skillwright/core";
import { truncate } from "@skillwright/core/internal";
import { createContext, Script } from "node:vm";
import type { EvalCase } from "../cases/eval-case.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";

/** What a check came to. `undecided`: it could not be told, which is neither a pass nor a fail. */
export type CheckVerdict =
  | {
      readonly kind: "decided";
      readonly passed: boolean;
      readonly score: number;
      readonly evidence: string;
      /** There was nothing to look at: turned round, it still fails. */
      readonly isVacuous?: true;
    }
  | { readonly kind: "undecided"; readonly evidence: string };

const MAX_SHOWN = 500;

export function decided(passed: boolean, evidence: string): CheckVerdict {
  return { kind: "decided", passed, score: passed ? 1 : 0, evidence };
}

export function nothingThere(evidence: string): CheckVerdict {
  return { kind: "decided", passed: false, score: 0, evidence, isVacuous: true };
}

export function undecided(evidence: string): CheckVerdict {
  return { kind: "undecided", evidence };
}

/** The beginning of a text, in quotes. */
export function shown(text: string, length = MAX_SHOWN): string {
  return JSON.stringify(truncate(text, length));
}

/** What stands around a place in a text. */
export function around(text: string, start: number, end: number): string {
  const from = Math.max(0, start - 60);
  const piece = text.slice(from, Math.min(text.length, end + 60, start + MAX_SHOWN));
  return `${from > 0 ? "…" : ""}${piece}${from + piece.length < text.length ? "…" : ""}`;
}

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

export type Timed<Value> = { readonly ok: true; readonly value: Value } | Failure<"timed-out">;

/** What one check may take. */
const CHECK_MILLISECONDS = 2000;

const CALL = new Script("task()");
const place: { task?: () => unknown } = {};
const context = createContext(place);

/**
 * Does something that could run away – a regular expression, a schema – and ends it when it does.
 * Nothing foreign is evaluated here: `vm` is only what Node has to end JavaScript that is under way.
 */
export function withinTime<Value>(
  task: () => Value,
  milliseconds = CHECK_MILLISECONDS,
): Timed<Value> {
  place.task = task;
  try {
    return { ok: true, value: CALL.runInContext(context, { timeout: milliseconds }) as Value };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { ok: false, code: "timed-out", message: `it took longer than ${milliseconds} ms` };
  } finally {
    delete place.task;
  }
}

function isTimeout(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
