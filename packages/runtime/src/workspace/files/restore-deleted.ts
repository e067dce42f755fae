import { chmodSync, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { folderFailure } from "../confinement/folder-problem.ts";
import { openFolder } from "../confinement/open-folder.ts";
import { quotePath } from "../confinement/quote-path.ts";
import { refuse, systemFailure, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import { writablePath } from "../confinement/writable-path.ts";
import type { WorkspaceOptions } from "../workspace-options.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import { moveEntry } from "./move-entry.ts";
import { findPlace, openTrash, TRASHED_ITEM, type TrashEntry, type TrashPlace } from "./trash.ts";

export type RestoreResult = { readonly ok: true; readonly path: string } | WorkspaceFailure;

/** Puts something deleted back where it was, if nothing has come there since. */
export function restoreDeleted(
  options: Pick<WorkspaceOptions, "root" | "trash">,
  trashId: string,
): RestoreResult {
  const workspace = openWorkspace(options);
  const trash = openTrash(workspace, false);
  const unknown = refuse("file-not-found", `the trash has no ${quotePath(trashId)}`);
  if (!trash.ok) return unknown;
  try {
    const found = findPlace(trash.folder, trashId);
    if (found === undefined) return unknown;
    try {
      return putBack(workspace, found.place, found.entry);
    } finally {
      found.place.close();
    }
  } finally {
    trash.folder.close();
  }
}

function putBack(workspace: Workspace, place: TrashPlace, entry: TrashEntry): RestoreResult {
  // The record in the trash is data like any other: it cannot name a place outside.
  const writable = writablePath(entry.path, workspace);
  if (!writable.ok) return writable;
  const { root, folder: segments, name, path } = writable;
  const opened = openFolder(root, segments, { create: true });
  if (!opened.ok) return folderFailure(opened.reason, segments);
  const { folder } = opened;
  try {
    if (lstatSync(folder.child(name), { throwIfNoEntry: false }) !== undefined) {
      return refuse("write-failed", `there is something else at ${quotePath(path)} now`);
    }
    if (entry.kind === "folder") {
      mkdirSync(folder.child(name));
      chmodSync(folder.child(name), entry.mode & 0o777);
      rmdirSync(place.folder.child(TRASHED_ITEM));
    } else {
      moveEntry({ folder: place.folder, name: TRASHED_ITEM }, { folder, name });
    }
    place.undo();
    return { ok: true, path };
  } catch (error) {
    return systemFailure(error, quotePath(path), "write-failed");
  } finally {
    folder.close();
  }
}
