/** Runs a program in the sandbox. The execution part of this package has one. */
export interface CommandRunner {
  /**
   * `argv` goes to the process as it is; no shell sees it. A program that is a script of a skill must
   * be run as that: with its policy, snapshot and digest. Expected failures are values.
   */
  runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

export interface CommandOptions {
  /** Absolute, inside the working directory, and no link. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
}

export interface CommandResult {
  readonly ok: boolean;
  /** What the model gets to read. */
  readonly text: string;
  readonly exitCode?: number | null;
  readonly timedOut?: boolean;
}
