import type { Failure } from "@skillwright/core";
import type { NetworkUse } from "./network/network-record.ts";

export type ExecutionFailureCode =
  | "arguments-invalid"
  | "canceled"
  | "control-file-written"
  | "digest-mismatch"
  | "environment-refused"
  | "interpreter-missing"
  | "interpreter-unknown"
  | "limits-invalid"
  | "module-missing"
  | "network-invalid"
  | "program-missing"
  | "requirement-unmet"
  | "run-failed"
  | "sandbox-failed"
  | "sandbox-missing"
  | "sandbox-unknown"
  | "sandbox-unusable"
  | "script-failed"
  | "script-invalid"
  | "script-missing"
  | "script-outside"
  | "script-unreadable"
  | "skill-too-large"
  | "skill-unreadable"
  | "timed-out"
  | "working-directory-refused"
  | "writable-refused";

export type ExecutionFailure = Failure<ExecutionFailureCode>;

/** What happened, in one shape for success and failure. */
export interface ExecutionReceipt {
  /** The script ran and ended with 0. */
  readonly ok: boolean;
  /** 128 and the number of the signal when one ended the script; null when nothing ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly canceled: boolean;
  /** Something was left out of `stdout` or `stderr`. */
  readonly truncated: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly sandbox: "bubblewrap" | "sandbox-runtime" | "process" | "code";
  /** Of the skill that ran; empty when none was read. */
  readonly digest: string;
  /** As the script's process saw it; empty when nothing ran. */
  readonly command: readonly string[];
  /** What was asked for and could not be held here. */
  readonly unenforced: readonly string[];
  /** Where the script went and where it was not let; only when it was given some network. */
  readonly network?: readonly NetworkUse[];
  readonly failure?: ExecutionFailure;
}

/** The receipt of a run that never started. */
export function refusedReceipt(
  sandbox: ExecutionReceipt["sandbox"],
  failure: ExecutionFailure,
  more: Partial<ExecutionReceipt> = {},
): ExecutionReceipt {
  return {
    ok: false,
    exitCode: null,
    signal: null,
    timedOut: failure.code === "timed-out",
    canceled: failure.code === "canceled",
    truncated: false,
    stdout: "",
    stderr: "",
    durationMs: 0,
    sandbox,
    digest: "",
    command: [],
    unenforced: [],
    ...more,
    failure,
  };
}

export function timedOutFailure(script: string, timeoutMs: number): ExecutionFailure {
  const message = `${script} was ended after ${timeoutMs} milliseconds`;
  return executionFailure("timed-out", message, "Give it less to do, or a longer timeout.");
}

export function canceledFailure(script: string): ExecutionFailure {
  return executionFailure("canceled", `${script} was canceled`);
}

export function executionFailure(
  code: ExecutionFailureCode,
  message: string,
  hint?: string,
): ExecutionFailure {
  return { ok: false, code, message, ...(hint === undefined ? {} : { hint }) };
}
