import type { Failure, SkillRecord } from "@skillwright/core";
import type { ToolFailure } from "@skillwright/core/internal";
import type { RepeatableCall } from "../../changes/open-calls.ts";

/** Runs a program in the sandbox. `createCommandRunner` makes one. */
export interface CommandRunner {
  /** What holds a command; shown in approvals. */
  readonly bounds?: CommandBounds;
  /** The command with the program that would run, such as `python3` where there is no `python`. */
  actualCommand?(argv: readonly string[]): readonly string[];
  /**
   * The script of a skill that a command runs. Callers that decide about commands must ask this first:
   * such a command is decided on as a script, and carried out by `runScript`. A failure is a command that
   * names a script and cannot be run as one.
   */
  scriptOf?(argv: readonly string[], cwd: string): CommandScript | Failure | undefined;
  /** Under the policy of scripts, from a snapshot, by the digest that was approved. */
  runScript?(script: CommandScript, options: CommandOptions): Promise<CommandResult>;
  /**
   * `argv` goes to the process as it is; no shell sees it. A program that is a script of a skill must
   * be run as that: with its policy, snapshot and digest. Expected failures are values.
   */
  runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

interface CommandBounds {
  /** `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  readonly writable: readonly string[];
}

/** A command line that means: run this script of this skill. */
export interface CommandScript {
  readonly ok: true;
  readonly skill: SkillRecord;
  /** Below the skill: `scripts/join.py`. */
  readonly script: string;
  readonly args: readonly string[];
}

export interface CommandOptions {
  /** Absolute, inside the working directory, and no link. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What `Gate.repeatable` gave for this call. */
  readonly repeats?: RepeatableCall;
  /** As in the context of a tool: a script is only asked about. */
  readonly probe?: (request: unknown) => void;
  readonly changesMayWait?: boolean;
}

export interface CommandResult {
  readonly ok: boolean;
  /** What the model gets to read. */
  readonly text: string;
  /** Values of secrets are hidden in the text already. */
  readonly hidesSecrets?: boolean;
  readonly exitCode?: number | null;
  readonly timedOut?: boolean;
  /** Something of the output was left out already. */
  readonly truncated?: boolean;
  /** Why nothing ran, where that is known. */
  readonly code?: string;
  readonly hint?: string;
  /** The same as a value for the host, where a script did not succeed or changes are not decided on. */
  readonly failure?: ToolFailure;
}
