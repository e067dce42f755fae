import { CREATE_FLAGS, makeFolder, openRegular } from "@skillwright/core/internal";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { relative, sep } from "node:path";
import {
  failsWith,
  folderFailure,
  type OpenedFolder,
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
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";

/** What is known of something deleted. */
interface TrashEntry {
  /** Where it was, relative to the working directory. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link";
  readonly mode: number;
  readonly deletedAt: string;
}

/** In each numbered folder of the trash. */
const ITEM = "item";
const ENTRY_FILE = "entry.json";
const MAX_ENTRIES = 100_000;
const PRIVATE = 0o700;
const PERMISSIONS = 0o777;
const CHUNK_BYTES = 1024 * 1024;

/** Moves a file, a link or an empty folder into the trash. Throws what the system throws. */
function moveToTrash(
  workspace: Workspace,
  folder: OpenFolder,
  name: string,
  entry: TrashEntry,
): { readonly ok: true; readonly trashId: string } | WorkspaceFailure {
  const opened = openTrash(workspace);
  if (!opened.ok) {
    return refuse("write-failed", "the trash cannot be opened, so nothing was deleted");
  }
  const trash = opened.folder;
  let place: OpenFolder | undefined;
  let isMoved = false;
  const trashId = makeNumbered(trash);
  try {
    place = trash.folder(trashId);
    writeFileSync(place.child(ENTRY_FILE), JSON.stringify(entry), { flag: "wx" });
    if (!folder.isInPlace()) return folderFailure("changing", entry.path.split("/").slice(0, -1));
    const move = entry.kind === "folder" ? moveEmptyFolder : moveFile;
    const failure = move(folder.child(name), place.child(ITEM), name);
    isMoved = failure === undefined;
    return failure ?? { ok: true, trashId };
  } finally {
    if (!isMoved && place !== undefined) removePlace(trash, trashId, place);
    place?.close();
    trash.close();
  }
}

/** Opens the trash; below the working directory without following a link, as everything there. */
function openTrash({ root, trash }: Workspace): OpenedFolder {
  try {
    const path = root === undefined ? ".." : relative(root, trash);
    if (root !== undefined && path !== "" && path.split(sep)[0] !== "..") {
      return openFolder(root, path.split(sep), { create: true });
    }
    makeFolder(trash);
    return openFolder(realpathSync.native(trash), []);
  } catch {
    return { ok: false, reason: "denied" };
  }
}

function makeNumbered(trash: OpenFolder): string {
  for (let i = 1; i <= MAX_ENTRIES; i++) {
    const id = String(i).padStart(4, "0");
    if (!failsWith("EEXIST", () => mkdirSync(trash.child(id), { mode: PRIVATE }))) return id;
  }
  throw new Error("the trash is full");
}

function removePlace(trash: OpenFolder, id: string, place: OpenFolder): void {
  try {
    unlinkSync(place.child(ENTRY_FILE));
    rmdirSync(trash.child(id));
  } catch {
    // Something came into it after all; better kept.
  }
}

/** The system itself refuses when there is anything in it. */
function moveEmptyFolder(from: string, to: string, name: string): WorkspaceFailure | undefined {
  if (failsWith("ENOTEMPTY EEXIST", () => rmdirSync(from))) {
    const hint = "Delete its content first.";
    return refuse("folder-not-empty", `${quotePath(name)} is not empty`, hint);
  }
  mkdirSync(to);
  return undefined;
}

function moveFile(from: string, to: string, name: string): WorkspaceFailure | undefined {
  moveEntry(from, to);
  if (!lstatSync(to).isDirectory()) return undefined;
  // A folder took the place of the file between the look and the move.
  moveEntry(to, from);
  return folderFailure("changing", [name]);
}

/** Moves a file or a link, never the target of a link, also to another disk. */
function moveEntry(from: string, to: string): void {
  if (!failsWith("EXDEV", () => renameSync(from, to))) return;
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFile(from, to);
  unlinkSync(from);
}

function copyFile(from: string, to: string): void {
  const { descriptor: source, stats } = openRegular(from);
  try {
    const target = openSync(to, CREATE_FLAGS, stats.mode & PERMISSIONS);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let count = readSync(source, buffer); count > 0; count = readSync(source, buffer)) {
        writeFileSync(target, buffer.subarray(0, count));
      }
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

interface DeleteFileResult {
  readonly ok: true;
  readonly path: string;
  readonly kind: TrashEntry["kind"];
  /** Identifies it for a restore. */
  readonly trashId: string;
}

export function deleteFileTool(
  workspace: Workspace,
  { clock = () => new Date() }: WorkspaceOptions,
): WorkspaceTool {
  return defineWorkspaceTool({
    name: "delete_file",
    description:
      "Deletes a file, a link or an empty folder. It goes to the trash of this run, from which the user can restore it.",
    parameters: { path: { type: "string" } },
    run: async ({ path }) => deleteWorkspaceFile(workspace, path, clock()),
    toText: ({ path, kind, trashId }) =>
      `Deleted the ${kind} ${quotePath(path)}; the user can restore it as ${trashId}.`,
  });
}

async function deleteWorkspaceFile(
  workspace: Workspace,
  given: string,
  now: Date,
): Promise<DeleteFileResult | WorkspaceFailure> {
  const writable = writablePath(given, workspace);
  if (!writable.ok) return writable;
  const { root, folder: segments, name, path } = writable;
  const opened = openFolder(root, segments);
  if (!opened.ok) return folderFailure(opened.reason, segments);
  const { folder } = opened;
  try {
    const stats = lstatSync(folder.child(name), { throwIfNoEntry: false });
    if (stats === undefined) return missingFile(workspace, given);
    const other = stats.isDirectory() ? "folder" : "file";
    const kind = stats.isSymbolicLink() ? "link" : other;
    const entry = { path, kind, mode: stats.mode, deletedAt: now.toISOString() } as const;
    const result = moveToTrash(workspace, folder, name, entry);
    if (!result.ok) return result;
    await workspace.changes?.supersede(path);
    return { ...result, path, kind };
  } catch (error) {
    return systemFailure(error, quotePath(path), "write-failed");
  } finally {
    folder.close();
  }
}
