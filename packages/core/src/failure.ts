/** What a model or person can act on. Expected failures are values of this shape; bugs throw. */
export interface Failure<Code extends string = string> {
  readonly ok: false;
  readonly code: Code;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Names that may have been meant, best first. */
  readonly candidates?: readonly string[];
}
