import {
  CREATE_FLAGS,
  errorCode,
  openRegular,
  plural,
  readRegularFile,
  readUpTo,
  removeQuietly,
  temporaryPath,
  unifiedDiff,
} from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import type { SeenEntry } from "../../changes/run-changes.ts";
import {
  folderFailure,
  openFolder,
  type OpenFolder,
  quotePath,
  refuse,
  systemFailure,
  type WorkspaceFailure,
} from "../confinement/open-folder.ts";
import { missingFile, writablePath } from "../confinement/workspace-path.ts";
import {
  defineWorkspaceTool,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";

/** A change to the text of one file of the workspace. */
export interface PlannedChange {
  readonly path: string;
  /** All of the new text, made from the previous one. Undefined: it is not text, or too large. */
  readonly newText: (previous: PreviousText) => NewText | WorkspaceFailure;
  /** The file has to be there; otherwise it and its folders are made. */
  readonly mustExist?: boolean;
}

/** `missing` where there is no file yet. */
type PreviousText = { readonly text: string | undefined } | "missing";

export interface NewText {
  readonly ok: true;
  readonly text: string;
  /** How many parts of the text were replaced, when not all of it was. */
  readonly replacements?: number;
}

/** What a change does to a file. */
export interface FileChange {
  readonly ok: true;
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
  readonly replacements?: number;
  /** The text became part of what is held of the file; the real one is as before. */
  readonly held?: true;
}

/** Show what would change, write the real file, or write what is held of it. */
export type ChangeMode = "preview" | "write" | "hold";

/** What a model reads after a change. It knows the content of a new file, so that has no diff. */
export function changeText(change: FileChange, done: string): string {
  const { path, created, lines, bytes, diff, replacements, held } = change;
  const size = `${plural(lines, "line")}, ${plural(bytes, "byte")}`;
  const count = replacements === undefined ? "" : `${plural(replacements, "replacement")}; `;
  // What was edited was there already, held: a script had made it.
  if (created && count !== "") return `${done} ${path} (${count}now ${size}).`;
  if (created) return `Created ${path} (${size}).`;
  if (held === true) return `${done} ${path} (${count}now ${size}), ${HELD}:\n${diff}`;
  if (diff === "") return `${path} already had this content (${size}).`;
  return `${done} ${path} (${count}now ${size}):\n${diff}`;
}

const HELD =
  "held with what the script made of it until a person approves; scripts and tools find it as changed";

/**
 * Changes the file in one step: readers see the old file or the new one. A preview writes nothing,
 * and shows the person who approves a call what it would change.
 */
export async function changeFile(
  workspace: Workspace,
  { path: given, newText, mustExist = false }: PlannedChange,
  mode: ChangeMode = "write",
): Promise<FileChange | WorkspaceFailure> {
  if (given.endsWith("/")) return refuse("not-a-file", "a path that ends in / is a folder");
  const writable = writablePath(given, workspace);
  if (!writable.ok) return writable;
  const { root, path, folder: segments } = writable;
  const seen = workspace.changes?.seen(path.split("/"));
  const create = mode === "write" && (!mustExist || seen?.type === "file");
  const opened = openFolder(root, segments, { create });
  if (!opened.ok && opened.reason !== "missing") return folderFailure(opened.reason, segments);
  const folder = opened.ok ? opened.folder : undefined;
  let isDone = false;
  try {
    const file = folder && previousFile(folder, path, workspace);
    if (file !== undefined && "ok" in file) return file;
    // Where a script changed it, the change starts from what the script left.
    const base = leftByScript(seen, workspace) ?? (seen?.type === "deleted" ? undefined : file);
    if (base === undefined && mustExist) return missingFile(workspace, given);
    const next = newText(
      base === undefined ? "missing" : { text: base.bytes && textOf(base.bytes) },
    );
    if (!next.ok) return next;
    const { text, replacements } = next;
    const failure = sizeProblem(text, workspace) ?? (await carryOut(text, file));
    if (failure !== undefined) return failure;
    isDone = true;
    if (mode === "write") await workspace.changes?.supersede(path);
    const held = mode === "hold" ? { held: true as const } : undefined;
    const changed = await changeOf(path, held ? base : file, text, workspace);
    return { ...changed, ...held, ...(replacements !== undefined && { replacements }) };
  } finally {
    if (!isDone) folder?.undoMade();
    folder?.close();
  }

  async function carryOut(
    text: string,
    file: PreviousFile | undefined,
  ): Promise<WorkspaceFailure | undefined> {
    if (mode === "preview") return undefined;
    if (mode === "hold") {
      if ((await workspace.changes?.amend(path, Buffer.from(text))) === true) return undefined;
      return refuse("file-changing", `${quotePath(path)} is no longer held`, "Try again.");
    }
    if (folder === undefined) return folderFailure("missing", segments);
    return replaceFile(folder, path, Buffer.from(text), file);
  }
}

/** Without bytes when it is above the limit for files. */
interface PreviousContent {
  readonly size: number;
  readonly bytes?: Buffer;
}

/** What a write replaces. */
interface PreviousFile extends PreviousContent {
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
}

/** Undefined for what is not text. */
export function textOf(bytes: Buffer): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString("utf8");
}

const OWNER_MAY_WRITE = 0o200;

/** The regular file of this path, if any; anything else makes the write fail. */
function previousFile(
  folder: OpenFolder,
  path: string,
  { maxFileBytes }: Workspace,
): PreviousFile | WorkspaceFailure | undefined {
  const shown = quotePath(path);
  let descriptor: number | undefined;
  try {
    const place = folder.child(basename(path));
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      const hint = "Write to the file it points to, by that file's own path.";
      return refuse("link-refused", `${shown} is a link, and links are not written through`, hint);
    }
    const { stats, ...opened } = openRegular(place);
    descriptor = opened.descriptor;
    const { mode, uid: owner, gid: group, size, nlink } = stats;
    if ((mode & OWNER_MAY_WRITE) === 0) {
      return refuse("file-read-only", `${shown} is marked as read-only`);
    }
    if (nlink > 1) return refuse("link-refused", `${shown} has a second name (a hard link)`);
    const bytes = size > maxFileBytes ? undefined : readUpTo(descriptor, size, size);
    return { mode, owner, group, size, ...(bytes !== undefined && { bytes }) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    return systemFailure(error, shown, "file-unreadable");
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function leftByScript(
  seen: SeenEntry | undefined,
  { maxFileBytes }: Workspace,
): PreviousContent | undefined {
  if (seen?.type !== "file") return undefined;
  const { copy, size } = seen;
  if (size > maxFileBytes) return { size };
  return { size, bytes: readRegularFile(copy, { maxBytes: maxFileBytes }) };
}

function sizeProblem(text: string, { maxFileBytes }: Workspace): WorkspaceFailure | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxFileBytes) return undefined;
  const message = `the text is ${bytes} bytes long; the limit is ${maxFileBytes}`;
  return refuse("file-too-large", message, "Write it as several files.");
}

async function changeOf(
  path: string,
  previous: PreviousContent | undefined,
  content: string,
  { maxOutputBytes }: Workspace,
): Promise<FileChange> {
  const diff = await diffOf(path, previous, content);
  const bytes = Buffer.from(diff);
  const diffTruncated = bytes.length > maxOutputBytes;
  const kept = bytes.subarray(0, bytes.lastIndexOf("\n", maxOutputBytes - 1) + 1).toString("utf8");
  return {
    ok: true,
    path,
    created: previous === undefined,
    bytes: Buffer.byteLength(content),
    lines: content === "" ? 0 : content.replace(/\n$/, "").split("\n").length,
    diff: diffTruncated ? `${kept}[The diff is longer than ${maxOutputBytes} bytes.]\n` : diff,
    diffTruncated,
  };
}

async function diffOf(path: string, previous: PreviousContent | undefined, content: string) {
  const text = previous?.bytes && textOf(previous.bytes);
  const isText = previous === undefined || text !== undefined;
  if (isText) return (await unifiedDiff(path, text, content)).text;
  const { bytes, size } = previous;
  if (bytes?.equals(Buffer.from(content)) === true) return "";
  const count = plural(size, "byte");
  return bytes === undefined
    ? `The previous file had ${count}, too many to compare.\n`
    : `The previous file was binary and had ${count}.\n`;
}

const PERMISSIONS = 0o777;

/**
 * Writes a temporary file beside it, then renames. A rename replaces a link itself, never its target.
 * Returns the failure, if any, and then leaves nothing behind.
 */
function replaceFile(
  folder: OpenFolder,
  path: string,
  bytes: Buffer,
  previous: PreviousFile | undefined,
): WorkspaceFailure | undefined {
  const temporary = temporaryPath(folder.child(basename(path)));
  let descriptor: number | undefined;
  try {
    descriptor = openSync(temporary, CREATE_FLAGS, previous === undefined ? 0o666 : 0o600);
    // Checked before anything is written: a folder that was moved away gets an empty file at most.
    if (!folder.isInPlace() || !isNamed(temporary, descriptor)) return moved(path);
    writeFileSync(descriptor, bytes);
    if (previous !== undefined) keepOwnerAndMode(descriptor, previous);
    fsyncSync(descriptor);
    if (!folder.isInPlace()) return moved(path);
    renameSync(temporary, folder.child(basename(path)));
    return undefined;
  } catch (error) {
    return systemFailure(error, quotePath(path), "write-failed");
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
      removeQuietly(temporary);
    }
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
  const message = `the folder of ${quotePath(path)} was moved while the file was being written`;
  return refuse("file-changing", message, "Try again.");
}

/** `appended`: the content was added at the end. */
type WriteFileResult = FileChange & { readonly appended?: boolean };

export interface WriteFileInput {
  readonly path: string;
  readonly content: string;
  /** Adds the content at the end instead. Default: false. */
  readonly append?: boolean | undefined;
}

export function writeFileTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "write_file",
    description: "Writes a whole text file, or appends to it. To change a part, use edit_file.",
    parameters: {
      path: { type: "string" },
      content: { type: "string", mayBeEmpty: true, private: true },
      append: { type: "boolean", optional: true },
    },
    run: async (input): Promise<WriteFileResult | WorkspaceFailure> => {
      const result = await changeFile(workspace, plannedWrite(input));
      return result.ok && input.append === true ? { ...result, appended: true } : result;
    },
    toText: (result) => changeText(result, result.appended === true ? "Appended to" : "Replaced"),
  });
}

/** What a call of `write_file` does, or would do, for the person who approves it. */
export async function changeByWrite(
  options: WorkspaceOptions,
  input: WriteFileInput,
  mode: ChangeMode,
): Promise<WriteFileResult | WorkspaceFailure> {
  return changeFile(openWorkspace(options), plannedWrite(input), mode);
}

function plannedWrite({ path, content, append = false }: WriteFileInput): PlannedChange {
  return {
    path,
    newText(previous) {
      if (!append || previous === "missing") return { ok: true, text: content };
      const { text } = previous;
      if (text !== undefined) return { ok: true, text: text + content };
      return refuse("file-binary", `${quotePath(path)} is not text, or too large to append to`);
    },
  };
}
