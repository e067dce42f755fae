import type { Failure } from "@skillwright/core";
import { errorCode, quoteName, READ_FLAGS, UnusableFileError } from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
} from "node:fs";
import { join } from "node:path";

/**
 * Why a file of the working directory is not read, listed, written or deleted. Less obvious ones:
 *
 * - `path-invalid`: the path is empty, too long, or has backslashes or control characters.
 * - `path-outside`: it leads out of the working directory, or has `..` in it.
 * - `link-refused`: a link that leads out, a link that would be written through, or a hard link.
 * - `file-protected`: the file changes what programs do, or holds credentials.
 * - `file-deleted`: a script of this run deleted the file; `file-read-only`: its owner may not write it.
 * - `file-changing`: a folder on the way was moved or replaced during the call.
 * - `range-invalid`: the requested lines do not exist, or are in the wrong order.
 * - `directory-unreadable`: the working directory does not exist or cannot be read.
 * - `file-unreadable`, `write-failed`: the system failed.
 */
export type WorkspaceFailureCode =
  | "access-denied"
  | "directory-unreadable"
  | "file-binary"
  | "file-changing"
  | "file-deleted"
  | "file-not-found"
  | "file-protected"
  | "file-read-only"
  | "file-too-large"
  | "file-unreadable"
  | "folder-not-empty"
  | "link-refused"
  | "not-a-file"
  | "not-a-folder"
  | "path-invalid"
  | "path-outside"
  | "range-invalid"
  | "text-ambiguous"
  | "text-invalid"
  | "text-not-found"
  | "text-unchanged"
  | "write-failed";

export type WorkspaceFailure = Failure<WorkspaceFailureCode>;

export function refuse(
  code: WorkspaceFailureCode,
  message: string,
  hint?: string,
): WorkspaceFailure {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}

type SystemProblem = readonly [code: WorkspaceFailureCode, text: (shown: string) => string];

const DENIED: SystemProblem = [
  "access-denied",
  (shown) => `the system does not allow access to ${shown}`,
];
const LINK: SystemProblem = ["link-refused", (shown) => `${shown} is a link`];
const NOT_A_FILE: SystemProblem = ["not-a-file", (shown) => `${shown} is not a regular file`];

const SYSTEM_PROBLEMS: Readonly<Record<string, SystemProblem>> = {
  ENOENT: ["file-not-found", (shown) => `${shown} does not exist`],
  ENAMETOOLONG: ["path-invalid", (shown) => `the path ${shown} is too long`],
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: DENIED,
  ELOOP: LINK,
  EMLINK: LINK,
  link: LINK,
  ENXIO: NOT_A_FILE,
  ENODEV: NOT_A_FILE,
  EISDIR: NOT_A_FILE,
  "not-regular": NOT_A_FILE,
};

/** The failure for a system call that failed, or for a file that is not opened. */
export function systemFailure(
  error: unknown,
  shown: string,
  otherwise: "file-unreadable" | "write-failed",
): WorkspaceFailure {
  const cause = error instanceof UnusableFileError ? error.reason : errorCode(error);
  const known = SYSTEM_PROBLEMS[cause ?? ""];
  if (known === undefined) return refuse(otherwise, `${shown} failed: ${cause ?? "unknown"}`);
  const [code, text] = known;
  return refuse(code, text(shown));
}

/** The code of a call of the system that fails in one of these ways; any other error is thrown. */
export function failsWith(codes: string, call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !codes.split(" ").includes(code)) throw error;
    return code;
  }
}

/** A path in a message. */
export function quotePath(path: string): string {
  return quoteName(path, 200);
}

type FolderProblem = "changing" | "denied" | "failed" | "link" | "missing" | "not-a-folder";

const PROBLEMS: ReadonlyMap<string | undefined, FolderProblem> = new Map([
  ["ENOENT", "missing"],
  ["ENOTDIR", "not-a-folder"],
  ["ELOOP", "link"],
  ["EMLINK", "link"],
  ["EEXIST", "changing"],
  ["EACCES", "denied"],
  ["EPERM", "denied"],
  ["EROFS", "denied"],
]);

const FAILURES: Readonly<Record<FolderProblem, (shown: string) => WorkspaceFailure>> = {
  missing: (shown) => refuse("file-not-found", `the folder ${shown} does not exist`),
  link: (shown) => refuse("link-refused", `${shown} is a link or is reached through one`),
  "not-a-folder": (shown) => refuse("not-a-folder", `${shown} is not a folder`),
  denied: (shown) => refuse("access-denied", `the system does not allow access to ${shown}`),
  failed: (shown) => refuse("file-unreadable", `${shown} cannot be opened`),
  changing: (shown) =>
    refuse("file-changing", `${shown} was moved or replaced during the call`, "Try again."),
};

/** The failure for a folder on the way that could not be opened. */
export function folderFailure(
  reason: FolderProblem,
  segments: readonly string[],
): WorkspaceFailure {
  return FAILURES[reason](quotePath(segments.join("/") || "."));
}

/** Something is not what it was a moment ago. */
export class ChangedError extends Error {
  constructor(what: string, problem = "was changed meanwhile") {
    super(`${what} ${problem}`);
  }
}

class Misled extends Error {
  readonly reason: FolderProblem;
  constructor(reason: FolderProblem) {
    super(reason);
    this.reason = reason;
  }
}

const FOLDER_FLAGS = READ_FLAGS | constants.O_DIRECTORY;
/** A handle that neither reads nor follows: `O_PATH` is not among the constants of Node. */
const HANDLE_FLAGS = 0o10000000 | constants.O_NOFOLLOW;
const PERMISSIONS = 0o777n;
const OWNER_MAY_LIST = 0o500n;
const OWNER_MAY_READ = 0o400n;
/** Without `/proc` nothing can be opened there: better no tool than one that loses a race. */
const HAS_DESCRIPTORS = process.platform === "linux";

interface Level {
  readonly path: string;
  readonly stats: BigIntStats;
}

interface Made {
  readonly parent: OpenFolder;
  readonly name: string;
  readonly ino: bigint | undefined;
}

/**
 * A folder that was reached without following a link. By its descriptor, what is named in it is
 * reached as by `openat`: whoever renames a folder on the way changes nothing.
 */
export class OpenFolder {
  readonly #place: string;
  readonly #descriptor: number | undefined;
  /** From the first folder to this one, where names are all there is. */
  readonly #levels: readonly Level[];
  readonly #made: Made[] = [];

  private constructor(call: string, place: string, levels: readonly Level[] | undefined) {
    this.#place = place;
    this.#descriptor = levels === undefined ? openSync(call, FOLDER_FLAGS) : undefined;
    this.#levels = levels === undefined ? [] : [...levels, { path: place, stats: folderAt(place) }];
  }

  /** Throws when it is a link, or no folder. */
  static at(path: string, byDescriptor: boolean = HAS_DESCRIPTORS): OpenFolder {
    return new OpenFolder(path, path, byDescriptor ? undefined : []);
  }

  /**
   * A path for a call of the system that means this name in this folder, wherever the folder's own
   * name leads by now. The last part is only followed when the call follows links.
   */
  child(name: string): string {
    if (this.#descriptor === undefined) return join(this.#place, name);
    return `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  /** The same for the folder. */
  get itself(): string {
    return this.child(".");
  }

  /** False when the folder no longer lies where it was reached. */
  isInPlace(): boolean {
    try {
      if (this.#descriptor !== undefined) {
        return readlinkSync(`/proc/self/fd/${this.#descriptor}`) === this.#place;
      }
      return this.#levels.every(({ path, stats }) => {
        const { ino, dev } = lstatSync(path, { bigint: true });
        return ino === stats.ino && dev === stats.dev;
      });
    } catch {
      return false;
    }
  }

  /** A folder in this one. Throws when it is a link, is not a folder, or may not be opened. */
  folder(name: string): OpenFolder {
    const isNamed = this.#descriptor === undefined;
    return new OpenFolder(
      this.child(name),
      join(this.#place, name),
      isNamed ? this.#levels : undefined,
    );
  }

  /** The same in exchange for this one, which stays open only where it is needed to take back a new one. */
  enter(name: string, create: boolean): OpenFolder {
    const there = this.stats(name);
    if (there?.isSymbolicLink() === true) throw new Misled("link");
    const isMissing = create && there === undefined;
    // Another process may have been faster.
    const isNew = isMissing && !failsWith("EEXIST", () => mkdirSync(this.child(name)));
    const next = this.folder(name);
    next.#made.push(...this.#made.splice(0));
    if (isNew) next.#made.push({ parent: this, name, ino: next.stats(".")?.ino });
    else this.close();
    return next;
  }

  /** Takes back the folders that were made on the way, as far as they are empty. */
  undoMade(): void {
    for (const { parent, name, ino } of this.#made.toReversed()) {
      try {
        if (parent.stats(name)?.ino !== ino) return;
        rmdirSync(parent.child(name));
      } catch {
        return;
      }
    }
  }

  close(): void {
    for (const { parent } of this.#made.splice(0)) parent.close();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /** Names that are not valid text cannot be passed on; they are reported as they can be shown. */
  names(onInvalid: (shown: string) => void = () => {}): readonly string[] {
    return readdirSync(this.itself, "latin1").flatMap((latin1) => {
      const bytes = Buffer.from(latin1, "latin1");
      if (isUtf8(bytes)) return [bytes.toString("utf8")];
      onInvalid(bytes.toString("utf8"));
      return [];
    });
  }

  stats(name: string): BigIntStats | undefined {
    try {
      return lstatSync(this.child(name), { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if (errorCode(error) === "ENOTDIR" || errorCode(error) === "EACCES") return undefined;
      throw error;
    }
  }

  /** Whether a path leads to something here, through no link. */
  has([name = "", ...rest]: readonly string[]): boolean {
    const stats = this.stats(name);
    if (stats === undefined || rest.length === 0) return stats !== undefined;
    if (!stats.isDirectory()) return false;
    const folder = this.folder(name);
    try {
      return folder.has(rest);
    } finally {
      folder.close();
    }
  }

  /** Opens a regular file; what it is is checked after opening. */
  open(name: string): number {
    const descriptor = openSync(this.child(name), READ_FLAGS);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    throw new ChangedError(name);
  }

  /**
   * Lets the owner of an entry read it while `work` runs, whatever its mode. Only for copies: the
   * real working directory is left as it is. Throws when the entry is no longer the one given.
   */
  async readable<T>(name: string, stats: BigIntStats, work: () => T | Promise<T>): Promise<T> {
    const mode = stats.mode & PERMISSIONS;
    const needed = stats.isDirectory() ? OWNER_MAY_LIST : OWNER_MAY_READ;
    if (process.getuid?.() === 0 || (mode & needed) === needed) return work();
    const handle = openSync(this.child(name), HANDLE_FLAGS);
    try {
      if (fstatSync(handle, { bigint: true }).ino !== stats.ino) throw new ChangedError(name);
      chmodSync(`/proc/self/fd/${handle}`, Number(mode | needed));
      try {
        return await work();
      } finally {
        chmodSync(`/proc/self/fd/${handle}`, Number(mode));
      }
    } finally {
      closeSync(handle);
    }
  }

  /** Never of what a link leads to. */
  setMode(name: string, mode: number): void {
    const handle = openSync(this.child(name), HANDLE_FLAGS);
    try {
      if (fstatSync(handle).isSymbolicLink()) throw new ChangedError(name);
      chmodSync(`/proc/self/fd/${handle}`, mode);
    } finally {
      closeSync(handle);
    }
  }

  /** Reaches the folder of a path below this one, whatever the modes on the way. Only for copies. */
  async within<T>(
    [name = "", ...rest]: readonly string[],
    work: (parent: OpenFolder, name: string) => T | Promise<T>,
  ): Promise<T> {
    if (rest.length === 0) return work(this, name);
    const stats = this.stats(name);
    if (stats === undefined) throw new ChangedError(name);
    return this.readable(name, stats, async () => {
      const folder = this.folder(name);
      try {
        return await folder.within(rest, work);
      } finally {
        folder.close();
      }
    });
  }
}

function folderAt(path: string): BigIntStats {
  const stats = lstatSync(path, { bigint: true });
  if (stats.isSymbolicLink()) throw new Misled("link");
  if (!stats.isDirectory()) throw new Misled("not-a-folder");
  return stats;
}

export type OpenedFolder =
  | { readonly ok: true; readonly folder: OpenFolder }
  | { readonly ok: false; readonly reason: FolderProblem };

interface OpenFolderOptions {
  /** Make what is missing. */
  readonly create?: boolean;
  /** Whether a path can name a descriptor. Default: on Linux. */
  readonly byDescriptor?: boolean;
}

/**
 * Opens a folder below a real path part by part, never through a link.
 *
 * Where the system has `/proc/self/fd`, each part is opened relative to the one before, as `openat`
 * does, and so are all later calls. What remains: a process that may write to the opened folder can
 * move it away; then a file appears in it at its new place. `isInPlace` narrows this to one call.
 *
 * Elsewhere names are all there is: `isInPlace` compares what they stand for before and after, but a
 * process of the same user that swaps a folder between that check and the next call wins the race.
 */
export function openFolder(
  root: string,
  segments: readonly string[],
  { create = false, byDescriptor = HAS_DESCRIPTORS }: OpenFolderOptions = {},
): OpenedFolder {
  let folder: OpenFolder | undefined;
  try {
    folder = OpenFolder.at(root, byDescriptor);
    if (!folder.isInPlace()) throw new Misled("changing");
    for (const name of segments) folder = folder.enter(name, create);
    if (!folder.isInPlace()) throw new Misled("changing");
    return { ok: true, folder };
  } catch (error) {
    folder?.undoMade();
    folder?.close();
    const reason = error instanceof Misled ? error.reason : PROBLEMS.get(errorCode(error));
    return { ok: false, reason: reason ?? "failed" };
  }
}

/** Works in a folder below a real path while it is open. */
export function inFolder<T>(
  root: string,
  segments: readonly string[],
  work: (folder: OpenFolder) => T,
): T | undefined {
  const opened = openFolder(root, segments);
  if (!opened.ok) return undefined;
  try {
    return work(opened.folder);
  } finally {
    opened.folder.close();
  }
}

/** The same for the folder that a path lies in. */
export function atPath<T>(
  root: string,
  path: string,
  work: (folder: OpenFolder, name: string) => T,
): T | undefined {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  return inFolder(root, segments, (folder) => work(folder, name));
}
