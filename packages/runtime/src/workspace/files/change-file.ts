import {
  CREATE_FLAGS,
  openRegular,
  plural,
  readRegularFile,
  readUpTo,
  unifiedDiff,
  UnusableFileError,
} from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
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
import { join } from "node:path";
import type { SeenFile } from "../../changes/run-changes.ts";
import { folderFailure, openFolder, type OpenFolder } from "../confinement/open-folder.ts";
import {
  quotePath,
  refuse,
  systemFailure,
  type WorkspaceFailure,
} from "../confinement/workspace-failure.ts";
import { writablePath } from "../confinement/workspace-path.ts";
import type { Workspace } from "../workspace.ts";
import { missingFile } from "./read-file.ts";

/** What a write replaces. */
interface PreviousFile {
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
  readonly size: number;
  /** Absent when it is above the limit for files. */
  readonly bytes?: Buffer;
}

type FoundPreviousFile =
  | { readonly ok: true; readonly file: PreviousFile | undefined }
  | WorkspaceFailure;

/** The text of the file; undefined when it is not text, or too large. */
export function textOf({ bytes }: PreviousFile): string | undefined {
  if (bytes === undefined || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  return bytes.toString("utf8");
}

const OWNER_MAY_WRITE = 0o200;

/** The regular file of this name, if any; anything else makes the write fail. */
function previousFile(
  folder: OpenFolder,
  { name, path }: { readonly name: string; readonly path: string },
  { maxFileBytes }: Workspace,
): FoundPreviousFile {
  const shown = quotePath(path);
  let descriptor: number | undefined;
  try {
    const named = lstatSync(folder.child(name), { throwIfNoEntry: false });
    if (named === undefined) return { ok: true, file: undefined };
    if (named.isSymbolicLink()) {
      const hint = "Write to the file it points to, by that file's own path.";
      return refuse("link-refused", `${shown} is a link, and links are not written through`, hint);
    }
    if (!named.isFile()) return refuse("not-a-file", `${shown} is not a regular file`);
    if ((named.mode & OWNER_MAY_WRITE) === 0) {
      return refuse("file-read-only", `${shown} is marked as read-only`);
    }
    const opened = openRegular(folder.child(name));
    const { stats } = opened;
    descriptor = opened.descriptor;
    if (stats.nlink > 1) {
      return refuse("link-refused", `${shown} has a second name (a hard link)`);
    }
    const bytes =
      stats.size > maxFileBytes ? undefined : readUpTo(descriptor, stats.size, stats.size);
    const { mode, uid: owner, gid: group, size } = stats;
    return { ok: true, file: { mode, owner, group, size, ...(bytes !== undefined && { bytes }) } };
  } catch (error) {
    // It was swapped since the check above.
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

/** What a write does to a file. */
export interface FileChange {
  readonly path: string;
  readonly created: boolean;
  /** Of the new file. */
  readonly bytes: number;
  /** Of the new file; a last line without a newline counts. */
  readonly lines: number;
  /** Unified; empty when nothing changes. */
  readonly diff: string;
  /** The diff is longer than may be shown. */
  readonly diffTruncated: boolean;
  /** How many parts of the text were replaced, when not all of it was. */
  readonly replacements?: number;
}

async function changeOf(
  path: string,
  previous: PreviousFile | undefined,
  content: string,
  { maxOutputBytes }: Workspace,
): Promise<FileChange> {
  const diff = await diffOf(path, previous, content);
  const isLong = Buffer.byteLength(diff) > maxOutputBytes;
  return {
    path,
    created: previous === undefined,
    bytes: Buffer.byteLength(content),
    lines: content === "" ? 0 : content.replace(/\n$/, "").split("\n").length,
    diff: isLong ? cut(diff, maxOutputBytes) : diff,
    diffTruncated: isLong,
  };
}

async function diffOf(
  path: string,
  previous: PreviousFile | undefined,
  content: string,
): Promise<string> {
  if (previous === undefined) return (await unifiedDiff(path, undefined, content)).text;
  const { bytes, size } = previous;
  if (bytes === undefined)
    return `The previous file had ${plural(size, "byte")}, too many to compare.\n`;
  const text = textOf(previous);
  if (text !== undefined) return (await unifiedDiff(path, text, content)).text;
  const isSame = bytes.equals(Buffer.from(content));
  return isSame ? "" : `The previous file was binary and had ${plural(size, "byte")}.\n`;
}

function cut(diff: string, maxBytes: number): string {
  const kept = Buffer.from(diff).subarray(0, maxBytes).toString("utf8");
  return `${kept.slice(0, kept.lastIndexOf("\n") + 1)}[The diff is longer than ${maxBytes} bytes.]\n`;
}

const PERMISSIONS = 0o777;

/**
 * Replaces a file in one step: writes a temporary file with a random name beside it, then renames.
 * A rename replaces a link itself, never its target. Returns the failure, if any, and then leaves
 * nothing behind.
 */
function replaceFile(
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
    // Checked before anything is written: a folder that was moved away gets an empty file at most.
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

/** Leaves out setuid and setgid. */
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
    `the folder of ${quotePath(path)} was moved while the file was being written`,
    "Try again.",
  );
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Nothing more can be done about it.
  }
}

/** A change to one file of the workspace. */
export interface PlannedChange {
  readonly path: string;
  /** All of the new text, made from the previous file. */
  readonly newText: (previous: PreviousFile | undefined) => NewText | WorkspaceFailure;
  /** The file has to be there; otherwise it and its folders are made. */
  readonly mustExist?: boolean;
}

export interface NewText {
  readonly ok: true;
  readonly text: string;
  /** How many parts of the text were replaced, when not all of it was. */
  readonly replacements?: number;
}

type ChangedFile = (FileChange & { readonly ok: true }) | WorkspaceFailure;

/** What a call would change, for the person who approves it. Nothing is written. */
export function previewChange(workspace: Workspace, change: PlannedChange): Promise<ChangedFile> {
  return carryOut(workspace, change, false);
}

/** Changes the file in one step: readers see the old file or the new one. */
export function changeFile(workspace: Workspace, change: PlannedChange): Promise<ChangedFile> {
  return carryOut(workspace, change, true);
}

async function carryOut(
  workspace: Workspace,
  { path, newText, mustExist = false }: PlannedChange,
  isWritten: boolean,
): Promise<ChangedFile> {
  if (path.endsWith("/")) return refuse("not-a-file", "a path that ends in / is a folder");
  const writable = writablePath(path, workspace);
  if (!writable.ok) return writable;
  const seen = workspace.changes?.seen(writable.path.split("/"));
  const mayMake = !mustExist || typeof seen === "object";
  const opened = openFolder(writable.root, writable.folder, { create: isWritten && mayMake });
  if (!opened.ok && opened.reason !== "missing")
    return folderFailure(opened.reason, writable.folder);
  const folder = opened.ok ? opened.folder : undefined;
  let isDone = false;
  try {
    const previous = folder && previousFile(folder, writable, workspace);
    if (previous?.ok === false) return previous;
    const file = previous?.file;
    // Where a script changed it, the change starts from what the script left.
    const base = seen === undefined ? file : seenFile(seen, file, workspace);
    if (base === undefined && mustExist) return missingFile(workspace, path);
    const next = newText(base);
    if (!next.ok) return next;
    const tooLarge = sizeProblem(next.text, workspace);
    if (tooLarge !== undefined) return tooLarge;
    if (isWritten) {
      if (folder === undefined) return folderFailure("missing", writable.folder);
      const failure = replaceFile(folder, writable, Buffer.from(next.text), file);
      if (failure !== undefined) return failure;
      await workspace.changes?.supersede(writable.path);
    }
    isDone = true;
    const { replacements } = next;
    const changed = await changeOf(writable.path, file, next.text, workspace);
    return { ok: true, ...changed, ...(replacements !== undefined && { replacements }) };
  } finally {
    if (!isDone) folder?.undoMade();
    folder?.close();
  }
}

function seenFile(
  seen: SeenFile | "deleted",
  file: PreviousFile | undefined,
  { maxFileBytes }: Workspace,
): PreviousFile | undefined {
  if (seen === "deleted") return undefined;
  const { folder, name, size } = seen;
  const owned = file ?? {
    mode: 0o644,
    owner: process.getuid?.() ?? 0,
    group: process.getgid?.() ?? 0,
  };
  const { mode, owner, group } = owned;
  if (size > maxFileBytes) return { mode, owner, group, size };
  const bytes = readRegularFile(join(folder, name), { maxBytes: maxFileBytes });
  return { mode, owner, group, size, bytes };
}

function sizeProblem(text: string, { maxFileBytes }: Workspace): WorkspaceFailure | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxFileBytes) return undefined;
  const message = `the text is ${bytes} bytes long; the limit is ${maxFileBytes}`;
  return refuse("file-too-large", message, "Write it as several files.");
}
