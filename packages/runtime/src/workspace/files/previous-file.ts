import { openRegular, readUpTo, UnusableFileError } from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
import { closeSync, lstatSync } from "node:fs";
import type { OpenFolder } from "../confinement/opened-folder.ts";
import { quotePath } from "../confinement/quote-path.ts";
import { refuse, systemFailure, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import type { Workspace } from "../workspace.ts";

/** What a write replaces. */
export interface PreviousFile {
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
  readonly size: number;
  /** Absent when it is above the limit for files. */
  readonly bytes?: Buffer;
}

export type FoundPreviousFile =
  | { readonly ok: true; readonly file: PreviousFile | undefined }
  | WorkspaceFailure;

/** The text of the file; undefined when it is no text, or above the limit for files. */
export function textOf({ bytes }: PreviousFile): string | undefined {
  if (bytes === undefined || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  return bytes.toString("utf8");
}

const OWNER_MAY_WRITE = 0o200;

/** The regular file that has this name now, if any; anything else stands in the way of a write. */
export function previousFile(
  folder: OpenFolder,
  { name, path }: { readonly name: string; readonly path: string },
  { maxFileBytes, allowHardLinks }: Workspace,
): FoundPreviousFile {
  const shown = quotePath(path);
  let descriptor: number | undefined;
  try {
    const named = lstatSync(folder.child(name), { throwIfNoEntry: false });
    if (named === undefined) return { ok: true, file: undefined };
    if (named.isSymbolicLink()) {
      const hint = "Write to the file that it stands for, by its own path.";
      return refuse("link-refused", `${shown} is a link; nothing is written through one`, hint);
    }
    if (!named.isFile()) return refuse("not-a-file", `${shown} is not a regular file`);
    if ((named.mode & OWNER_MAY_WRITE) === 0) {
      return refuse("file-read-only", `${shown} is marked as read-only`);
    }
    const opened = openRegular(folder.child(name));
    const { stats } = opened;
    descriptor = opened.descriptor;
    if (stats.nlink > 1 && !allowHardLinks) {
      return refuse("link-refused", `${shown} has a second name somewhere (a hard link)`);
    }
    const bytes =
      stats.size > maxFileBytes ? undefined : readUpTo(descriptor, stats.size, stats.size);
    const { mode, uid: owner, gid: group, size } = stats;
    return { ok: true, file: { mode, owner, group, size, ...(bytes !== undefined && { bytes }) } };
  } catch (error) {
    // It was swapped since the look above.
    if (error instanceof UnusableFileError) {
      return error.reason === "link"
        ? refuse("link-refused", `${shown} is a link`)
        : refuse("not-a-file", `${shown} is not a regular file`);
    }
    return systemFailure(error, shown, "file-unreadable");
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
