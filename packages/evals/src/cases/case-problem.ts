/** Why a case, or a part of it, is not as it was written. */
export interface CaseProblem {
  readonly code: CaseProblemCode;
  /** `error`: the case or file is left out. `warning`: it is read without the part. */
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly hint?: string;
}

/**
 * - `path-missing`: there is nothing at a path that was given.
 * - `file-unreadable`: a file of cases may not be read, is a link, or is too large.
 * - `file-invalid`: it is no JSON or YAML, or a hostile one.
 * - `format-unknown`: nobody knows this shape of a file.
 * - `case-invalid`: a case lacks something, or has something that cannot be read.
 * - `sequence-invalid`: a line of the constraint language cannot be read.
 * - `case-file-missing`, `case-file-refused`: a file that a case needs is not there, or lies outside.
 * - `id-duplicate`: a case before has the id.
 * - `grader-unsupported`: a check of another client that is not done here.
 */
export type CaseProblemCode =
  | "path-missing"
  | "file-unreadable"
  | "file-invalid"
  | "format-unknown"
  | "case-invalid"
  | "sequence-invalid"
  | "case-file-missing"
  | "case-file-refused"
  | "id-duplicate"
  | "grader-unsupported";
