/**
 * Why nothing can be approved, so that what needs an approval must not happen.
 *
 * - `approval-damaged`: something stored is not what was written; it never counts as an approval.
 * - `approval-input-invalid`: a call holds what JSON cannot, or is nested too deeply.
 * - `approval-key-unusable`: the key in the user's state is damaged, or others may read it.
 * - `approval-unwritable`: disk full, read-only, no permission.
 */
export type ApprovalErrorCode =
  | "approval-damaged"
  | "approval-input-invalid"
  | "approval-key-unusable"
  | "approval-unwritable";

const MARKER = Symbol.for("skillwright.approval-error");

/** Thrown, not returned: who forgets to look at it must not act. */
export class ApprovalError extends Error {
  override readonly name = "ApprovalError";
  readonly code: ApprovalErrorCode;
  /** What to do about it. */
  readonly hint?: string;
  readonly [MARKER] = true;

  constructor(
    code: ApprovalErrorCode,
    message: string,
    options?: ErrorOptions & { hint?: string },
  ) {
    super(message, options);
    this.code = code;
    if (options?.hint !== undefined) this.hint = options.hint;
  }

  /** Like `instanceof`, and also right when two copies of this package are loaded. */
  static isInstance(error: unknown): error is ApprovalError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}
