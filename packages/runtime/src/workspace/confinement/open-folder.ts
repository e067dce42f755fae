import { errorCode, READ_FLAGS } from "@skillwright/core/internal";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  rmdirSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { quotePath, refuse, type WorkspaceFailure } from "./workspace-failure.ts";

type FolderProblem = "changing" | "denied" | "failed" | "link" | "missing" | "not-a-folder";

const PROBLEMS: ReadonlyMap<string, FolderProblem> = new Map([
  ["ENOENT", "missing"],
  ["ENOTDIR", "not-a-folder"],
  ["ELOOP", "link"],
  ["EMLINK", "link"],
  ["EEXIST", "changing"],
  ["EACCES", "denied"],
  ["EPERM", "denied"],
  ["EROFS", "denied"],
]);

function folderProblem(error: unknown): FolderProblem {
  return PROBLEMS.get(errorCode(error) ?? "") ?? "failed";
}

/** The failure for a folder on the way that could not be opened. */
export function folderFailure(
  reason: FolderProblem,
  segments: readonly string[],
): WorkspaceFailure {
  const shown = quotePath(segments.length === 0 ? "." : segments.join("/"));
  switch (reason) {
    case "missing":
      return refuse("file-not-found", `the folder ${shown} does not exist`);
    case "link":
      return refuse("link-refused", `${shown} is a link or is reached through one`);
    case "not-a-folder":
      return refuse("not-a-folder", `${shown} is not a folder`);
    case "denied":
      return refuse("access-denied", `the system does not allow access to ${shown}`);
    case "changing":
      return refuse(
        "file-changing",
        `${shown} was moved or replaced during the call`,
        "Try again.",
      );
    default:
      return refuse("file-unreadable", `${shown} cannot be opened`);
  }
}

/** A folder below the working directory that was reached without following a link. */
export interface OpenFolder {
  /**
   * A path for a call of the system that means this name in this folder, wherever the folder's own
   * name leads by now. The last part is only followed when the call follows links.
   */
  child(name: string): string;
  /** A path for a call of the system that means the folder. */
  readonly itself: string;
  /** False when the folder no longer lies where it was reached. */
  isInPlace(): boolean;
  close(): void;
  /** Takes back the folders that were made on the way, as far as they are empty. */
  undoMade(): void;
}

export type OpenedFolder =
  | { readonly ok: true; readonly folder: OpenFolder }
  | { readonly ok: false; readonly reason: FolderProblem };

/** For systems where a folder can only be reached by its name. */
function openNamedFolder(root: string, segments: readonly string[], create: boolean): OpenedFolder {
  const made: string[] = [];
  const undoMade = (): void => {
    for (const path of made.toReversed()) {
      try {
        rmdirSync(path);
      } catch {
        return;
      }
    }
  };
  const paths = [root, ...segments.map((_, i) => join(root, ...segments.slice(0, i + 1)))];
  const folders: BigIntStats[] = [];
  for (const path of paths) {
    const found = lookAt(path, create && path !== root, made);
    if (typeof found === "string") {
      undoMade();
      return { ok: false, reason: found };
    }
    folders.push(found);
  }
  const isInPlace = (): boolean =>
    paths.every((path, i) => {
      const stats = statsOf(path);
      return stats?.ino === folders[i]?.ino && stats?.dev === folders[i]?.dev;
    });
  if (!isInPlace()) return { ok: false, reason: "changing" };
  const place = join(root, ...segments);
  return {
    ok: true,
    folder: {
      child: (name) => join(place, name),
      itself: place,
      isInPlace,
      undoMade,
      close: () => undefined,
    },
  };
}

function lookAt(path: string, create: boolean, made: string[]): BigIntStats | FolderProblem {
  try {
    if (create && statsOf(path) === undefined) {
      mkdirSync(path);
      made.push(path);
    }
    const stats = lstatSync(path, { bigint: true });
    if (stats.isSymbolicLink()) return "link";
    return stats.isDirectory() ? stats : "not-a-folder";
  } catch (error) {
    return folderProblem(error);
  }
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

interface OpenFolderOptions {
  /** Make what is missing. */
  readonly create?: boolean;
  /** Whether a path can name a descriptor. Default: on Linux. */
  readonly byDescriptor?: boolean;
}

const FLAGS = READ_FLAGS | constants.O_DIRECTORY;
/** Without `/proc` nothing can be opened there: better no tool than one that loses a race. */
const HAS_DESCRIPTORS = process.platform === "linux";

/**
 * Opens a folder below a real path part by part, never through a link.
 *
 * Where the system has `/proc/self/fd`, each part is opened relative to the one before, as `openat`
 * does, and so are all later calls: replacing a folder by a link then changes a name that is not used
 * again. What remains: the opened folder itself may be moved away by a process that may write to it;
 * then a file appears in that folder at its new place. `isInPlace` narrows this to one call.
 *
 * Elsewhere names are all there is: `isInPlace` compares what they stand for before and after, but a
 * process of the same user that swaps a folder between that check and the next call wins the race.
 */
export function openFolder(
  root: string,
  segments: readonly string[],
  { create = false, byDescriptor = HAS_DESCRIPTORS }: OpenFolderOptions = {},
): OpenedFolder {
  if (!byDescriptor) return openNamedFolder(root, segments, create);
  const made: { readonly parent: number; readonly name: string; readonly stats: Stats }[] = [];
  let descriptor = -1;
  const forget = (): void => {
    for (const { parent } of made.splice(0)) closeSync(parent);
  };
  const undoMade = (): void => {
    for (const { parent, name, stats } of made.toReversed()) {
      try {
        if (!isSame(inside(parent, name), stats)) break;
        rmdirSync(inside(parent, name));
      } catch {
        break;
      }
    }
  };
  try {
    descriptor = openSync(root, FLAGS);
    if (!leadsTo(descriptor, root)) throw new Misled("changing");
    for (const name of segments) {
      const { next, isNew } = openNext(descriptor, name, create);
      // Kept open, so that the new folder can be taken back where it was made.
      if (isNew) made.push({ parent: descriptor, name, stats: fstatSync(next) });
      else closeSync(descriptor);
      descriptor = next;
    }
    const place = join(root, ...segments);
    if (!leadsTo(descriptor, place)) throw new Misled("changing");
    const opened = descriptor;
    return {
      ok: true,
      folder: {
        child: (name) => inside(opened, name),
        itself: `/proc/self/fd/${opened}/.`,
        isInPlace: () => leadsTo(opened, place),
        undoMade,
        close() {
          forget();
          closeSync(opened);
        },
      },
    };
  } catch (error) {
    undoMade();
    forget();
    if (descriptor !== -1) closeSync(descriptor);
    return { ok: false, reason: error instanceof Misled ? error.reason : folderProblem(error) };
  }
}

class Misled extends Error {
  readonly reason: FolderProblem;
  constructor(reason: FolderProblem) {
    super(reason);
    this.reason = reason;
  }
}

function openNext(
  descriptor: number,
  name: string,
  create: boolean,
): { readonly next: number; readonly isNew: boolean } {
  const path = inside(descriptor, name);
  try {
    return { next: openSync(path, FLAGS), isNew: false };
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new Misled("link");
    }
    if (!create || errorCode(error) !== "ENOENT") throw error;
  }
  const isNew = makeFolder(path);
  return { next: openSync(path, FLAGS), isNew };
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Someone may have put another folder in its place. */
function isSame(path: string, { ino, dev }: Pick<Stats, "ino" | "dev">): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.ino === ino && stats.dev === dev;
}

function inside(descriptor: number, name: string): string {
  return `/proc/self/fd/${descriptor}/${name}`;
}

/** What the kernel says was opened. */
function leadsTo(descriptor: number, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  } catch {
    return false;
  }
}
