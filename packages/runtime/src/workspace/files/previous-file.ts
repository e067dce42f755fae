import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
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

const OWNER_MAY_WRITE = 0o200;
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

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
    if (!named.isFile()) return refuse("not-a-file", `${shown} is no regular file`);
    if ((named.mode & OWNER_MAY_WRITE) === 0) {
      return refuse("file-read-only", `${shown} is marked as read-only`);
    }
    descriptor = openSync(folder.child(name), FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return refuse("not-a-file", `${shown} is no regular file`);
    if (stats.nlink > 1 && !allowHardLinks) {
      return refuse("link-refused", `${shown} has a second name somewhere (a hard link)`);
    }
    const bytes = stats.size > maxFileBytes ? undefined : readAll(descriptor, stats.size);
    const { mode, uid: owner, gid: group, size } = stats;
    return { ok: true, file: { mode, owner, group, size, ...(bytes !== undefined && { bytes }) } };
  } catch (error) {
    return systemFailure(error, shown, "file-unreadable");
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** No more than the size it had, however it grows. */
function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
