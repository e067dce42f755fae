import { CREATE_FLAGS } from "@skillwright/core/internal";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { OpenFolder } from "../confinement/opened-folder.ts";
import { quotePath } from "../confinement/quote-path.ts";
import { refuse, systemFailure, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import type { PreviousFile } from "./previous-file.ts";

const PERMISSIONS = 0o777;

/**
 * Puts a file in place of another in one step: it is written beside it under a name nobody knows,
 * then renamed. A rename replaces a link itself and never what the link stands for. Gives the
 * failure, if any; then nothing is left behind.
 */
export function replaceFile(
  folder: OpenFolder,
  { name, path }: { readonly name: string; readonly path: string },
  bytes: Buffer,
  previous: PreviousFile | undefined,
): WorkspaceFailure | undefined {
  const temporary = folder.child(`.skillwright-${randomBytes(8).toString("hex")}.tmp`);
  let descriptor: number | undefined;
  let isThere = false;
  try {
    descriptor = openSync(temporary, CREATE_FLAGS, previous === undefined ? 0o666 : 0o600);
    isThere = true;
    // Before anything is in it: whoever moved the folder away gets an empty file at most.
    if (!folder.isInPlace() || !isNamed(temporary, descriptor)) return moved(path);
    writeFileSync(descriptor, bytes);
    if (previous !== undefined) keepOwnerAndMode(descriptor, previous);
    fsyncSync(descriptor);
    if (!folder.isInPlace()) return moved(path);
    renameSync(temporary, folder.child(name));
    isThere = false;
    return undefined;
  } catch (error) {
    return systemFailure(error, quotePath(path), "write-failed");
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    if (isThere) remove(temporary);
  }
}

/** Without the bits that give a program the rights of its owner. */
function keepOwnerAndMode(descriptor: number, { mode, owner, group }: PreviousFile): void {
  const stats = fstatSync(descriptor);
  if (stats.uid !== owner || stats.gid !== group) {
    try {
      fchownSync(descriptor, owner, group);
    } catch {
      // Only the superuser may give files away; for others the file becomes theirs.
    }
  }
  fchmodSync(descriptor, mode & PERMISSIONS);
}

function isNamed(path: string, descriptor: number): boolean {
  const named = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const stats = fstatSync(descriptor, { bigint: true });
  return named?.ino === stats.ino && named.dev === stats.dev;
}

function moved(path: string): WorkspaceFailure {
  return refuse(
    "file-changing",
    `the folder of ${quotePath(path)} was moved meanwhile`,
    "Try again.",
  );
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone, or the disk is.
  }
}
