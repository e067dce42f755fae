/**
 * Why an operation that gives a bare value could not give it.
 *
 * - `configuration-unreadable`: a configuration file cannot be read or is not JSON.
 * - `directory-unreadable`: the skill's folder is missing, or may not be read.
 * - `file-unreadable`: a file is missing, may not be read, or is no regular file.
 * - `link-refused`: a symbolic link stands below the skill's folder, or on the way to a file.
 * - `option-invalid`: an option of a function is unknown or of the wrong type.
 * - `path-unsafe`: a path cannot be written down safely (control characters, not UTF-8).
 */
export type SkillwrightErrorCode =
  | "configuration-unreadable"
  | "directory-unreadable"
  | "file-unreadable"
  | "link-refused"
  | "option-invalid"
  | "path-unsafe";

const MARKER = Symbol.for("skillwright.error");

/** The one error class. Failures that a person or model can act on are values, not errors. */
export class SkillwrightError extends Error {
  override readonly name = "SkillwrightError";
  readonly code: SkillwrightErrorCode;
  readonly [MARKER] = true;

  constructor(code: SkillwrightErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Like `instanceof`, and also right when two copies of this package are loaded. */
  static isInstance(error: unknown): error is SkillwrightError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}
