import type { Failure } from "@skillwright/core";
import { errorCode, quoteName, UnusableFileError } from "@skillwright/core/internal";

/**
 * Why a file of the working directory is not read, listed, written or deleted. Less obvious ones:
 *
 * - `path-invalid`: the path is empty, too long, or has backslashes or control characters.
 * - `path-outside`: it leads out of the working directory, or has `..` in it.
 * - `link-refused`: a link that leads out, a link that would be written through, or a hard link.
 * - `file-protected`: the file changes what programs do, or holds credentials.
 * - `file-deleted`: a script of this run deleted the file; `file-read-only`: its owner may not write it.
 * - `file-changing`: a folder on the way was moved or replaced during the call.
 * - `range-invalid`: the requested lines do not exist, or are in the wrong order.
 * - `directory-unreadable`: the working directory does not exist or cannot be read.
 * - `file-unreadable`, `write-failed`: the system failed.
 */
export type WorkspaceFailureCode =
  | "access-denied"
  | "directory-unreadable"
  | "file-binary"
  | "file-changing"
  | "file-deleted"
  | "file-not-found"
  | "file-protected"
  | "file-read-only"
  | "file-too-large"
  | "file-unreadable"
  | "folder-not-empty"
  | "link-refused"
  | "not-a-file"
  | "not-a-folder"
  | "path-invalid"
  | "path-outside"
  | "range-invalid"
  | "text-ambiguous"
  | "text-invalid"
  | "text-not-found"
  | "text-unchanged"
  | "write-failed";

export type WorkspaceFailure = Failure<WorkspaceFailureCode>;

export function refuse(
  code: WorkspaceFailureCode,
  message: string,
  hint?: string,
): WorkspaceFailure {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}

type SystemProblem = readonly [code: WorkspaceFailureCode, text: (shown: string) => string];

const DENIED: SystemProblem = [
  "access-denied",
  (shown) => `the system does not allow access to ${shown}`,
];
const LINK: SystemProblem = ["link-refused", (shown) => `${shown} is a link`];
const NOT_A_FILE: SystemProblem = ["not-a-file", (shown) => `${shown} is not a regular file`];

const PROBLEMS: Readonly<Record<string, SystemProblem>> = {
  ENOENT: ["file-not-found", (shown) => `${shown} does not exist`],
  ENAMETOOLONG: ["path-invalid", (shown) => `the path ${shown} is too long`],
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: DENIED,
  ELOOP: LINK,
  EMLINK: LINK,
  link: LINK,
  ENXIO: NOT_A_FILE,
  ENODEV: NOT_A_FILE,
  EISDIR: NOT_A_FILE,
  "not-regular": NOT_A_FILE,
};

/** The failure for a system call that failed, or for a file that is not opened. */
export function systemFailure(
  error: unknown,
  shown: string,
  otherwise: "file-unreadable" | "write-failed",
): WorkspaceFailure {
  const cause = error instanceof UnusableFileError ? error.reason : errorCode(error);
  const known = PROBLEMS[cause ?? ""];
  if (known === undefined) return refuse(otherwise, `${shown} failed: ${cause ?? "unknown"}`);
  const [code, text] = known;
  return refuse(code, text(shown));
}

/** The code of a call of the system that fails in one of these ways; any other error is thrown. */
export function failsWith(codes: string, call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !codes.split(" ").includes(code)) throw error;
    return code;
  }
}

/** A path in a message. */
export function quotePath(path: string): string {
  return quoteName(path, 200);
}
