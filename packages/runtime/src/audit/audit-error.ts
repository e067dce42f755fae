/**
 * Why nothing can be recorded, so that what was to be recorded must not happen.
 *
 * - `audit-closed`: the record was closed, or writing it failed in a way that only opening it again mends.
 * - `audit-damaged`: the record is not what was written last: cut, edited, replaced, or of someone else.
 * - `audit-key-unusable`: the key in the user's state is damaged, or others may read it.
 * - `audit-locked`: another process, or another part of this one, is writing this record.
 * - `audit-unreadable`: the record may not be read, or is no regular file.
 * - `audit-unwritable`: disk full, read-only, no permission.
 */
export type AuditErrorCode =
  | "audit-closed"
  | "audit-damaged"
  | "audit-key-unusable"
  | "audit-locked"
  | "audit-unreadable"
  | "audit-unwritable";

const MARKER = Symbol.for("skillwright.audit-error");

/** Thrown, not returned: who forgets to look at it must not act. */
export class AuditError extends Error {
  override readonly name = "AuditError";
  readonly code: AuditErrorCode;
  /** What to do about it. */
  readonly hint?: string;
  readonly [MARKER] = true;

  constructor(code: AuditErrorCode, message: string, options?: ErrorOptions & { hint?: string }) {
    super(message, options);
    this.code = code;
    if (options?.hint !== undefined) this.hint = options.hint;
  }

  /** Like `instanceof`, and also right when two copies of this package are loaded. */
  static isInstance(error: unknown): error is AuditError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}

/** Does it, and says of an error of the operating system what could not be done. */
export function orAuditError<Result>(
  code: AuditErrorCode,
  what: string,
  operation: () => Result,
): Result {
  try {
    return operation();
  } catch (error) {
    if (AuditError.isInstance(error)) throw error;
    throw new AuditError(code, `${what}: ${(error as Error).message}`, { cause: error });
  }
}
