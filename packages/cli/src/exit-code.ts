/** The contract of DESIGN.md §4; every end of a command maps to one of these. */
export const EXIT = {
  done: 0,
  no: 1,
  usage: 2,
  approval: 3,
  missing: 4,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CommandFailureOptions extends ErrorOptions {
  readonly hint?: string;
  /** For programs: the code of the failure behind it. */
  readonly code?: string;
}

/** Ends a command with a message for the person at the terminal. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly code: string | undefined;

  constructor(exitCode: ExitCode, message: string, options: CommandFailureOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
    this.hint = options.hint;
    this.code = options.code;
  }
}
