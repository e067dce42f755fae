import type { ExecutionContext, ExecutionLimits, ExecutionReceipt } from "../executor.ts";

/** A program that belongs to no skill, and what it may do. */
export interface ProgramRequest {
  /** The program, by name or by its absolute path, and its arguments as they are. */
  readonly argv: readonly string[];
  /** All that it sees of the user's files. */
  readonly root: string;
  /** Where it starts: the root or a folder below it, without a link on the way. */
  readonly cwd: string;
  readonly limits?: ExecutionLimits;
  /** Places below the root that may be written; never control files such as `.git` or `.agent`. */
  readonly writable?: readonly string[];
  /** Folders and files that it must not see, by their real paths. */
  readonly hidden?: readonly string[];
}

/** Runs programs as scripts are run: same sandbox, same limits, same receipt, no network. */
export interface CommandExecutor {
  /** The digest of the receipt is empty: there is no skill. */
  runProgram(request: ProgramRequest, context?: ExecutionContext): Promise<ExecutionReceipt>;
}
