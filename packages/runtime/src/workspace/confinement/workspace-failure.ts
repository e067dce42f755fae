import type { Failure } from "@skillwright/core";
import { errorCode, quoteName } from "@skillwright/core/internal";

/**
 * Why a file of the working directory is not read, listed, written or deleted.
 *
 * - `path-invalid`: the path is empty, too long, or has backslashes or control characters.
 * - `path-outside`: it leads out of the working directory, or has `..` in it.
 * - `link-refused`: a link that leads out, a link that would be written through, or a hard link.
 * - `file-protected`: the file changes what programs do, or holds credentials.
 * - `file-deleted`: a script of this run deleted the file.
 * - `file-not-found`: no such file or folder; `candidates` are similar names.
 * - `not-a-file`, `not-a-folder`: something else has that name.
 * - `folder-not-empty`: only empty folders are deleted.
 * - `file-binary`: the file is not text.
 * - `file-too-large`: the file is above a limit; the hint says what to do.
 * - `text-not-found`, `text-ambiguous`, `text-unchanged`, `text-invalid`: the edit cannot be made as given.
 * - `range-invalid`: the requested lines do not exist, or are in the wrong order.
 * - `file-read-only`: its owner may not write it.
 * - `access-denied`: the system does not allow it.
 * - `file-changing`: a folder on the way was moved or replaced during the call.
 * - `file-unreadable`, `write-failed`: the system failed.
 * - `directory-unreadable`: the working directory does not exist or cannot be read.
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

/** The failure for a system call that failed. */
export function systemFailure(
  error: unknown,
  shown: string,
  otherwise: "file-unreadable" | "write-failed",
): WorkspaceFailure {
  const code = errorCode(error) ?? "unknown";
  switch (code) {
    case "ENOENT":
      return refuse("file-not-found", `${shown} does not exist`);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return refuse("access-denied", `the system does not allow access to ${shown}`);
    case "ELOOP":
    case "EMLINK":
      return refuse("link-refused", `${shown} is a link`);
    case "ENAMETOOLONG":
      return refuse("path-invalid", `the path ${shown} is too long`);
    case "ENXIO":
    case "ENODEV":
    case "EISDIR":
      return refuse("not-a-file", `${shown} is not a regular file`);
    default:
      return refuse(otherwise, `${shown} failed: ${code}`);
  }
}

/** A path in a message. */
export function quotePath(path: string): string {
  return quoteName(path, 200);
}
