import { CREATE_FLAGS, errorCode, makeFolder, openRegular } from "@skillwright/core/internal";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { relative, sep } from "node:path";
import {
  folderFailure,
  type OpenedFolder,
  openFolder,
  type OpenFolder,
} from "../confinement/open-folder.ts";
import {
  quotePath,
  refuse,
  systemFailure,
  type WorkspaceFailure,
} from "../confinement/workspace-failure.ts";
import { writablePath } from "../confinement/workspace-path.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../workspace.ts";

/** What is known of something deleted. */
export interface TrashEntry {
  /** Where it was, relative to the working directory. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link";
  readonly mode: number;
  readonly deletedAt: string;
}

/** A new place in the trash. */
export interface TrashPlace {
  readonly id: string;
  readonly folder: OpenFolder;
  /** Takes the place back when nothing came into it. */
  undo(): void;
  close(): void;
}

export const TRASHED_ITEM = "item";
const ENTRY_FILE = "entry.json";
const MAX_ENTRIES = 100_000;
const PRIVATE = 0o700;

/** Opens the trash; below the working directory without following a link, as everything there. */
export function openTrash({ root, trash }: Workspace, create: boolean): OpenedFolder {
  try {
    const path = root === undefined ? ".." : relative(root, trash);
    if (root !== undefined && path !== "" && path.split(sep)[0] !== "..") {
      return openFolder(root, path.split(sep), { create });
    }
    if (create) makeFolder(trash);
    return openFolder(realpathSync.native(trash), []);
  } catch (error) {
    return { ok: false, reason: errorCode(error) === "ENOENT" ? "missing" : "denied" };
  }
}

/** Throws what the system throws. */
export function makePlace(trash: OpenFolder, entry: TrashEntry): TrashPlace {
  const id = makeNumbered(trash);
  const place = placeOf(trash, id);
  if (place === undefined) throw new Error("the trash was swapped meanwhile");
  writeFileSync(place.folder.child(ENTRY_FILE), JSON.stringify(entry), { flag: "wx" });
  return place;
}

function findPlace(
  trash: OpenFolder,
  id: string,
): { readonly place: TrashPlace; readonly entry: TrashEntry } | undefined {
  if (!/^\d{4,}$/.test(id)) return undefined;
  const place = placeOf(trash, id);
  if (place === undefined) return undefined;
  try {
    const entry: unknown = JSON.parse(readFileSync(place.folder.child(ENTRY_FILE), "utf8"));
    if (isEntry(entry)) return { place, entry };
  } catch {
    // Someone else wrote it.
  }
  place.close();
  return undefined;
}

function isEntry(value: unknown): value is TrashEntry {
  if (typeof value !== "object" || value === null) return false;
  const { path, kind, mode } = value as Partial<Record<string, unknown>>;
  const isKind = kind === "file" || kind === "folder" || kind === "link";
  return typeof path === "string" && isKind && typeof mode === "number";
}

function placeOf(trash: OpenFolder, id: string): TrashPlace | undefined {
  const real = realpathSync.native(trash.itself);
  const opened = openFolder(real, [id]);
  if (!opened.ok) return undefined;
  const { folder } = opened;
  return {
    id,
    folder,
    undo() {
      try {
        unlinkSync(folder.child(ENTRY_FILE));
        rmdirSync(trash.child(id));
      } catch {
        // Something came into it after all; better kept.
      }
    },
    close: () => folder.close(),
  };
}

function makeNumbered(trash: OpenFolder): string {
  for (let i = 1; i <= MAX_ENTRIES; i++) {
    const id = String(i).padStart(4, "0");
    try {
      mkdirSync(trash.child(id), { mode: PRIVATE });
      return id;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
  throw new Error("the trash is full");
}

interface Place {
  readonly folder: OpenFolder;
  readonly name: string;
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Moves a file or a link, never the target of a link, also to another disk. The new name must be
 * free; a file that appears there in between is replaced. Throws what the system throws.
 */
export function moveEntry(from: Place, to: Place): void {
  const [source, target] = [from.folder.child(from.name), to.folder.child(to.name)];
  try {
    renameSync(source, target);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    copyEntry(source, target);
    unlinkSync(source);
  }
}

function copyEntry(source: string, target: string): void {
  if (lstatSync(source).isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    return;
  }
  const { descriptor: from, stats } = openRegular(source);
  try {
    const to = openSync(target, CREATE_FLAGS, stats.mode & 0o777);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let count = -1; count !== 0;) {
        count = readSync(from, buffer);
        for (let at = 0; at < count;) at += writeSync(to, buffer, at, count - at);
      }
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

type RestoreResult = { readonly ok: true; readonly path: string } | WorkspaceFailure;

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
