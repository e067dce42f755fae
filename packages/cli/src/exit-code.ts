import { AppFailure, type FailureKind } from "@skillwright/app";

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

/** Ends a command with a message for the person at the terminal. */
export class CommandFailure extends AppFailure {
  constructor(
    exitCode: (typeof EXIT)[FailureKind],
    message: string,
    options?: ConstructorParameters<typeof AppFailure>[2],
  ) {
    super(KINDS[exitCode], message, options);
  }

  get exitCode(): ExitCode {
    return EXIT[this.kind];
  }
}

const KINDS = {
  [EXIT.no]: "no",
  [EXIT.usage]: "usage",
  [EXIT.approval]: "approval",
  [EXIT.missing]: "missing",
  [EXIT.interrupted]: "interrupted",
} as const;
