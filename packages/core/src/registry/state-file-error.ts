/**
 * Why a file with the user's decisions cannot be used.
 *
 * - `damaged`: it is not what it should be, and what was decided is not known.
 * - `locked`: another process holds it and does not give it back.
 */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
  readonly code: "damaged" | "locked";
  /** What to do about it. */
  readonly hint: string;

  constructor(
    code: StateFileError["code"],
    message: string,
    options: ErrorOptions & { readonly hint: string },
  ) {
    super(message, options);
    this.code = code;
    this.hint = options.hint;
  }
}
