import type { Failure } from "@skillwright/core";
import type { NetworkUse } from "./network/domain-rule.ts";

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

export interface Snapshot {
  readonly ok: true;
  readonly directory: string;
  readonly digest: string;
  /** Paths of the files, relative to the skill. */
  readonly files: ReadonlySet<string>;
  /** What was copied, of the files that were asked for. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** A script of a skill, what to give it, and what it may do. */
export interface ExecutionRequest {
  readonly skill: ExecutedSkill;
  /** `analyze.py` or `scripts/analyze.py`. */
  readonly script: string;
  /** Go to the process as they are; no shell sees them. */
  readonly args: readonly string[];
  /** The user's working directory, or `fresh` for a new empty one that is gone afterwards. */
  readonly cwd: string;
  readonly limits?: ExecutionLimits;
  /**
   * `example.com`, `*.example.com` for what is below it, or `example.com:8443`; without a port, those
   * of the web. Addresses that are not on the public internet are refused whatever leads to them.
   */
  readonly network?: "none" | { readonly domains: readonly string[] };
  /** Places below `cwd` that may be written; never control files such as `.git` or `.agent`. */
  readonly writable?: readonly string[];
  /** Added to the clean environment; names that change how programs start are refused. */
  readonly env?: Readonly<Record<string, string>>;
  /** Without it, standard input is closed. */
  readonly stdin?: string;
  /** Where the full output goes, within a second cap. */
  readonly spillDirectory?: string;
  /** A Python environment whose modules the script may use. */
  readonly virtualEnvironment?: string;
}

export interface ExecutedSkill {
  readonly name: string;
  readonly path: string;
  /** What was approved. A skill with another digest is refused. */
  readonly digest?: string;
  /** A private copy that was made before, by who approved it; it runs as it is. */
  readonly snapshot?: Snapshot;
}

export interface ExecutionLimits {
  readonly timeoutMs?: number;
  /** How much of each output stream is kept, head and tail. */
  readonly outputBytes?: number;
  /** Of each process. */
  readonly memoryBytes?: number;
  /** Of each process. */
  readonly cpuSeconds?: number;
  /** Of each file, and of all temporary files together. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
  /** Processes and threads together. */
  readonly processes?: number;
}

export interface ExecutionContext {
  readonly signal?: AbortSignal;
  /** Gets the output as it comes, already harmless to a terminal. Must not throw. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
}

/** Runs scripts of skills. Nothing runs by itself, and nothing expected throws. */
export interface Executor {
  run(request: ExecutionRequest, context?: ExecutionContext): Promise<ExecutionReceipt>;
  /** Whether this executor can work here; found out once. */
  probe(): Promise<{ readonly ok: true } | ExecutionFailure>;
}

export interface ExecutorOptions {
  /** Programs by name (`python3`, `node`, `uv`, …) that the user's configuration names. */
  readonly interpreters?: Readonly<Record<string, string>>;
  /** Scripts that run at once; the others wait. */
  readonly concurrency?: number;
  /** Where the private folders of runs are made. */
  readonly temporaryDirectory?: string;
}
