import { errorCode, makeFolder } from "@skillwright/core/internal";
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { relative, sep } from "node:path";
import { openFolder } from "../confinement/open-folder.ts";
import type { OpenedFolder, OpenFolder } from "../confinement/opened-folder.ts";
import type { Workspace } from "../workspace.ts";

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

export function findPlace(
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
