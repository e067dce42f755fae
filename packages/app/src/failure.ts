/**
 * What kind of failure it is, for the caller's exit code or status:
 * `no` – the answer is no · `usage` – wrong options or configuration · `approval` – needed or refused ·
 * `missing` – something has to be installed or provided · `interrupted` – the caller stopped it.
 */
export type FailureKind = "no" | "usage" | "approval" | "missing" | "interrupted";

interface FailureOptions extends ErrorOptions {
  /** What the person can do about it. */
  readonly hint?: string;
  /** For programs: the code of the failure behind it. */
  readonly code?: string;
}

/** An expected failure on its way to the public entry, which returns it as a value. */
export class AppFailure extends Error {
  override readonly name: string = "AppFailure";
  readonly kind: FailureKind;
  readonly hint: string | undefined;
  readonly code: string | undefined;

  constructor(kind: FailureKind, message: string, { hint, code, cause }: FailureOptions = {}) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
    this.code = code;
  }
}
