import type { ExecutionFailure } from "./execution-failure.ts";
import type { RunChanges, ScriptChanges } from "../changes/run-changes.ts";
import type { NetworkUse } from "./network/domain-rule.ts";

/** What happened, in one shape for success and failure. */
export interface ExecutionReceipt {
  /** It ran and ended with 0. */
  readonly ok: boolean;
  /** 128 plus the signal's number when a signal ended it; null when nothing ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly canceled: boolean;
  /** Something was left out of `stdout` or `stderr`. */
  readonly truncated: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** What held it. `code` is for scripts that start no process; executors of hosts have other names. */
  readonly sandbox: "bubblewrap" | "sandbox-runtime" | "process" | "code" | (string & {});
  /** Of the skill that ran; empty for a command, and when no skill was read. */
  readonly digest: string;
  /** As the process saw it; empty when nothing ran. */
  readonly command: readonly string[];
  /** What was asked for and could not be held here. */
  readonly unenforced: readonly string[];
  /** What it reached and what it was refused; only when it was given some network. */
  readonly network?: readonly NetworkUse[];
  /** What it changed in the working directory; only where it could change something. */
  readonly changes?: ScriptChanges;
  readonly failure?: ExecutionFailure;
}

/** The receipt when nothing ran. */
export function refusedReceipt(
  sandbox: ExecutionReceipt["sandbox"],
  failure: ExecutionFailure,
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
    failure,
  };
}

/**
 * What a model gets to read: the output of a success, otherwise what went wrong, with the exit code, and
 * both outputs, since programs use either for anything. Each is as long as it was kept in the receipt.
 */
export function receiptText(receipt: ExecutionReceipt): string {
  const { ok, failure, exitCode, stderr, stdout } = receipt;
  if (ok) return stdout;
  const message = failure?.message ?? "it failed";
  const code = `exit code ${exitCode}`;
  const isSaid = exitCode === null || message.endsWith(code);
  return [
    isSaid ? message : `${message} (${code})`,
    failure?.hint ?? "",
    stderr.trim() === "" ? "" : `stderr:\n${stderr.trimEnd()}`,
    stdout.trim() === "" ? "" : `stdout:\n${stdout.trimEnd()}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
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

/** What runs, and what it may do. */
export type ExecutionRequest = ScriptExecution | CommandExecution;

/** A script of a skill and what to give it. */
export interface ScriptExecution extends ExecutionBounds {
  readonly skill: ExecutedSkill;
  /** `analyze.py` or `scripts/analyze.py`. */
  readonly script: string;
  /** Go to the process as they are; no shell sees them. */
  readonly args: readonly string[];
  /** A Python environment whose modules the script may use. */
  readonly virtualEnvironment?: string;
  /** A folder of packages that a Node script may import. */
  readonly nodeModules?: string;
}

/** A program that belongs to no skill. */
export interface CommandExecution extends ExecutionBounds {
  /** A program of the system, by its name or absolute path, and its arguments as they are. */
  readonly argv: readonly string[];
}

interface ExecutionBounds {
  /** Where it starts: a folder of the user's, or `fresh` for a new empty one that is gone afterwards. */
  readonly cwd: string;
  /**
   * All that it sees of the user's files: `cwd` itself unless given. With it, `cwd` is this folder or
   * one below it, without a link on the way.
   */
  readonly root?: string;
  /** Places below the root whose changes are kept; never control files such as `.git` or `.agent`. */
  readonly writable?: readonly string[];
  /** Folders and files that it must not see, by their real paths. */
  readonly hidden?: readonly string[];
  readonly limits?: ExecutionLimits;
  /**
   * `example.com`, `*.example.com` for what is below it, or `example.com:8443`; without a port, those
   * of the web. Addresses that are not on the public internet are refused whatever leads to them.
   */
  readonly network?: "none" | { readonly domains: readonly string[] };
  /** Without it, standard input is closed. */
  readonly stdin?: string;
}

export interface ExecutedSkill {
  readonly name: string;
  readonly path: string;
  /** What was approved. A skill with another digest is refused. */
  readonly digest?: string;
  /** The private copy that was approved; it runs as it is. */
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
  /** What goes through the network proxy in both directions together. */
  readonly networkBytes?: number;
}

export interface ExecutionContext {
  readonly signal?: AbortSignal;
  /** Gets the output as it comes, already harmless to a terminal. Must not throw. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /**
   * Takes what is changed in the working directory. Without it, changes in writable places are kept
   * and all others are dropped.
   */
  readonly changes?: RunChanges;
}

/** Runs scripts and commands. Nothing runs by itself, and nothing expected throws. */
export interface Executor {
  run(request: ExecutionRequest, context?: ExecutionContext): Promise<ExecutionReceipt>;
  /** Whether this executor can work here; found out once. */
  probe(): Promise<{ readonly ok: true } | ExecutionFailure>;
}

export interface ExecutorOptions {
  /** Where the private folders of runs are made. */
  readonly temporaryDirectory?: string;
}
