import { errorCode } from "@skillwright/core/internal";
import { lstatSync, mkdirSync, rmdirSync, type Stats } from "node:fs";
import { folderFailure, openFolder, type OpenFolder } from "../confinement/open-folder.ts";
import {
  quotePath,
  refuse,
  systemFailure,
  type WorkspaceFailure,
} from "../confinement/workspace-failure.ts";
import { writablePath } from "../confinement/workspace-path.ts";
import {
  defineWorkspaceTool,
  pathParameter,
  type WorkspaceTool,
} from "../input/define-workspace-tool.ts";
import type { Workspace } from "../workspace.ts";
import { missingFile } from "./read-file.ts";
import {
  makePlace,
  moveEntry,
  openTrash,
  TRASHED_ITEM,
  type TrashEntry,
  type TrashPlace,
} from "./trash.ts";

interface DeleteFileResult {
  readonly ok: true;
  readonly path: string;
  readonly kind: TrashEntry["kind"];
  /** Identifies it for a restore. */
  readonly trashId: string;
}

export function deleteFileTool(workspace: Workspace, clock: () => Date): WorkspaceTool {
  return defineWorkspaceTool({
    name: "delete_file",
    description:
      "Deletes a file, a link or an empty folder. It goes to the trash of this run, from which the user can restore it.",
    parameters: { path: pathParameter("In the working directory.") },
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
    const entry = { path, kind: kindOf(stats), mode: stats.mode, deletedAt: now.toISOString() };
    const result = throwAway(workspace, { folder, name }, entry);
    if (result.ok) await workspace.changes?.supersede(path);
    return result;
  } catch (error) {
    return systemFailure(error, quotePath(path), "write-failed");
  } finally {
    folder.close();
  }
}

function throwAway(
  workspace: Workspace,
  from: { readonly folder: OpenFolder; readonly name: string },
  entry: TrashEntry,
): DeleteFileResult | WorkspaceFailure {
  const trash = openTrash(workspace, true);
  if (!trash.ok) {
    return refuse("write-failed", "the trash cannot be opened, so nothing was deleted");
  }
  let place: TrashPlace | undefined;
  let isMoved = false;
  try {
    place = makePlace(trash.folder, entry);
    if (!from.folder.isInPlace())
      return folderFailure("changing", entry.path.split("/").slice(0, -1));
    const to = { folder: place.folder, name: TRASHED_ITEM };
    const failure = entry.kind === "folder" ? moveEmptyFolder(from, to) : moveFile(from, to);
    if (failure !== undefined) return failure;
    isMoved = true;
    return { ok: true, path: entry.path, kind: entry.kind, trashId: place.id };
  } finally {
    if (!isMoved) place?.undo();
    place?.close();
    trash.folder.close();
  }
}

type Place = Parameters<typeof moveEntry>[0];

/** The system itself refuses when there is anything in it. */
function moveEmptyFolder(from: Place, to: Place): WorkspaceFailure | undefined {
  try {
    rmdirSync(from.folder.child(from.name));
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    const hint = "Delete its content first.";
    return refuse("folder-not-empty", `${quotePath(from.name)} is not empty`, hint);
  }
  mkdirSync(to.folder.child(to.name));
  return undefined;
}

function moveFile(from: Place, to: Place): WorkspaceFailure | undefined {
  moveEntry(from, to);
  const moved = lstatSync(to.folder.child(to.name));
  if (!moved.isDirectory()) return undefined;
  // A folder took the place of the file between the look and the move.
  moveEntry(to, from);
  return folderFailure("changing", [from.name]);
}

function kindOf(stats: Stats): TrashEntry["kind"] {
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "folder" : "file";
}
