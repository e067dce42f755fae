import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SkillwrightError } from "../skillwright-error.ts";
import { READ_FLAGS, TimeSlice } from "./files.ts";

/** File times have steps; two changes within one step look like one. */
const CLOCK_STEP_MILLISECONDS = 50;
/** A time this far ahead comes from another machine's clock and says nothing here. */
const CLOCK_AHEAD_MILLISECONDS = 1000;

/** The folders on the way to a file, from the given one down. */
type FoldersOnTheWay = readonly BigIntStats[];

/** Each folder on the way to a file, as far as it exists and may be read; undefined if one is a link. */
export function inspectFolders(
  realDirectory: string,
  segments: readonly string[],
): FoldersOnTheWay | undefined {
  const folders: BigIntStats[] = [];
  let current = realDirectory;
  for (const segment of ["", ...segments.slice(0, -1)]) {
    current = join(current, segment);
    const stats = statsOf(current);
    if (stats === undefined) break;
    if (stats.isSymbolicLink()) return undefined;
    folders.push(stats);
  }
  return folders;
}

/**
 * True when no folder can have been swapped between two looks: swapping one changes the ctime of its
 * parent, which cannot be set back. A folder that changed just now could change again within the same
 * step of the clock, so it has to come to rest first. The last folder holds only the file and may change.
 */
function wereAtRest(
  before: FoldersOnTheWay,
  after: FoldersOnTheWay | undefined,
  now: number,
): boolean {
  if (after?.length !== before.length) return false;
  return before.every((folder, i) => {
    const same = after[i];
    if (same?.ino !== folder.ino || same.dev !== folder.dev) return false;
    if (i === before.length - 1) return true;
    return same.ctimeNs === folder.ctimeNs && isSettled(Number(folder.ctimeMs), now);
  });
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSettled(changed: number, now: number): boolean {
  return changed < now - CLOCK_STEP_MILLISECONDS || changed > now + CLOCK_AHEAD_MILLISECONDS;
}

export type ConfinedFile =
  | { readonly ok: true; readonly descriptor: number; readonly stats: Stats }
  | {
      readonly ok: false;
      /** `changing`: it was moved or swapped meanwhile; worth another try. */
      readonly reason: "changing" | "denied" | "link" | "missing" | "not-a-file" | "unreadable";
      /** What the system said. */
      readonly errorCode?: string;
      /** How long to wait before that other try. */
      readonly waitMilliseconds?: number;
    };

export interface ConfinedOptions {
  /** Where a descriptor leads; undefined on systems that do not tell. */
  readonly openedPath?: (descriptor: number) => string | undefined;
  readonly now?: () => number;
}

/** Darwin refuses a link anywhere in the path when told so; Node has no name for the flag. */
const NO_LINKS_ANYWHERE = process.platform === "darwin" ? 0x2000_0000 : 0;
const FLAGS = READ_FLAGS | NO_LINKS_ANYWHERE;

/**
 * Opens a regular file below a folder for reading. Nothing on the way may be a link, and what is
 * checked is the file that was opened, not the name it had before: a folder swapped for a link in
 * between is noticed. The calls are few and synchronous: a small file is read before a thread of the
 * pool would have begun. The caller closes the descriptor. `realDirectory` must be a real path; no
 * segment may be empty, `.` or `..`.
 */
export function openConfinedSync(
  realDirectory: string,
  segments: readonly string[],
  { openedPath = pathOfDescriptor, now = Date.now }: ConfinedOptions = {},
): ConfinedFile {
  const started = now();
  const folders = inspectFolders(realDirectory, segments);
  if (folders === undefined) return { ok: false, reason: "link" };
  const file = join(realDirectory, ...segments);
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS);
  } catch (error) {
    // What the system says about a place outside must not be disclosed.
    return inspectFolders(realDirectory, segments) === undefined
      ? { ok: false, reason: "link" }
      : refusal(error);
  }
  const checked = check(descriptor);
  if (!checked.ok) closeSync(descriptor);
  return checked;

  /** What was opened is looked at, not what was named. */
  function check(descriptor: number): ConfinedFile {
    const opened = openedPath(descriptor);
    if (opened !== undefined && opened !== file) return misled(opened);
    const stats = fstatSync(descriptor);
    if (opened === undefined) {
      const named = lstatSync(file, { throwIfNoEntry: false });
      if (named?.ino !== stats.ino || named.dev !== stats.dev) return misled(opened);
      const after = inspectFolders(realDirectory, segments);
      if (folders?.length !== segments.length) return misled(opened);
      if (!wereAtRest(folders, after, started)) return misled(opened);
    }
    return stats.isFile() ? { ok: true, descriptor, stats } : { ok: false, reason: "not-a-file" };
  }

  function misled(opened: string | undefined): ConfinedFile {
    const isLink =
      inspectFolders(realDirectory, segments) === undefined ||
      lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink) return { ok: false, reason: "link" };
    const waitMilliseconds = opened === undefined ? CLOCK_STEP_MILLISECONDS + 10 : 0;
    return { ok: false, reason: "changing", waitMilliseconds };
  }
}

const ATTEMPTS = 4;

/**
 * The same, tried again while the file is being moved or swapped: an editor may replace a file at
 * any time. One that never comes to rest is `changing`.
 */
export async function openSettled(
  realDirectory: string,
  segments: readonly string[],
  options: ConfinedOptions = {},
): Promise<ConfinedFile> {
  let opened = openConfinedSync(realDirectory, segments, options);
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    if (opened.ok || opened.reason !== "changing") break;
    await setTimeout(opened.waitMilliseconds ?? 0);
    opened = openConfinedSync(realDirectory, segments, options);
  }
  return opened;
}

/** What the kernel says was opened; undefined on systems without `/proc`. */
function pathOfDescriptor(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, "denied" | "link" | "missing" | "not-a-file">> = {
  EACCES: "denied",
  EPERM: "denied",
  ELOOP: "link",
  EMLINK: "link",
  ENOENT: "missing",
  ENOTDIR: "missing",
  ENAMETOOLONG: "missing",
  // A socket, or a device without a driver.
  ENXIO: "not-a-file",
  ENODEV: "not-a-file",
  EOPNOTSUPP: "not-a-file",
};

function refusal(error: unknown): ConfinedFile {
  const errorCode = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return { ok: false, reason: REASONS[errorCode] ?? "unreadable", errorCode };
}

/** `openSettled` for a relative path with `/`, throwing a `SkillwrightError` for what cannot be opened. */
export async function openConfined(
  realDirectory: string,
  path: string,
  options: ConfinedOptions = {},
): Promise<{ readonly descriptor: number; readonly stats: Stats }> {
  const segments = path.split("/");
  const name = JSON.stringify(path);
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new SkillwrightError("path-unsafe", `the path ${name} is not allowed`);
  }
  const opened = await openSettled(realDirectory, segments, options);
  if (opened.ok) return opened;
  if (opened.reason === "link" || opened.reason === "changing") {
    const message = `${name} is a link or lies behind one; links inside a skill are refused`;
    throw new SkillwrightError("link-refused", message);
  }
  const reason =
    opened.reason === "not-a-file"
      ? "it is not a regular file"
      : (opened.errorCode ?? opened.reason);
  throw new SkillwrightError("file-unreadable", `${name} cannot be read: ${reason}`);
}

export interface DirectoryEntry {
  /** Relative to the walked folder, with `/` on every platform. */
  readonly path: string;
  readonly kind: "file" | "link" | "special";
  readonly size: number;
  /** Permission bits; 0 where the platform has none. */
  readonly mode: number;
  /** How many names the file has. */
  readonly links: number;
}

interface FolderChild {
  readonly name: string;
  /** Absent for folders. */
  readonly entry?: DirectoryEntry;
}

/** To give the first entries in order, all have to be read; of a huge folder, not even those. */
const MAX_SORTED = 100_000;

/**
 * The children of a folder in the order of the paths below it. When there are more than `limit`,
 * the first `limit + 1` are given. The folder that is listed is the one that was checked: it is
 * opened without following links and, where the system allows that, listed through what was opened.
 */
function readFolder(
  root: string,
  path: string,
  limit: number,
): { readonly children: readonly FolderChild[]; readonly truncated: boolean } {
  const folder = path === "" ? root : join(root, ...path.split("/"));
  const segments = path === "" ? [""] : [...path.split("/"), ""];
  const before = inspectFolders(root, segments);
  if (before?.length !== segments.length) throw unreadable(folder);
  const descriptor = openFolder(folder);
  try {
    const opened = descriptor === undefined ? undefined : pathOfDescriptor(descriptor);
    if (opened !== undefined && opened !== folder) throw unreadable(folder);
    const listed = opened === undefined ? folder : `/proc/self/fd/${descriptor}`;
    const result = listChildren(listed, path, limit);
    if (opened !== undefined) return result;
    const after = inspectFolders(root, segments);
    const isSame = before.every(
      ({ ino, dev }, i) => after?.[i]?.ino === ino && after[i].dev === dev,
    );
    if (!isSame) throw unreadable(folder);
    return result;
  } catch (cause) {
    throw SkillwrightError.isInstance(cause) ? cause : unreadable(folder, cause);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function openFolder(folder: string): number | undefined {
  // Windows lists folders by name only.
  if (process.platform === "win32") return undefined;
  try {
    return openSync(folder, READ_FLAGS | constants.O_DIRECTORY);
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

function listChildren(listed: string, path: string, limit: number) {
  const found: { name: string; kind: DirectoryEntry["kind"] | "folder"; order: Buffer }[] = [];
  const most = Number.isFinite(limit) ? Math.max(limit, MAX_SORTED) : limit;
  let truncated = false;
  const directory = opendirSync(listed, { bufferSize: 512 });
  try {
    for (let child = directory.readSync(); child !== null; child = directory.readSync()) {
      truncated = found.length >= most;
      if (truncated) break;
      const { name } = child;
      const isFolder = child.isDirectory();
      const kind = child.isFile() ? "file" : child.isSymbolicLink() ? "link" : "special";
      const order = Buffer.from(isFolder ? `${name}/` : name);
      found.push({ name, kind: isFolder ? "folder" : kind, order });
    }
  } finally {
    directory.closeSync();
  }
  found.sort((a, b) => Buffer.compare(a.order, b.order));
  const prefix = path === "" ? "" : `${path}/`;
  const children = found.slice(0, limit + 1).map(({ name, kind }): FolderChild => {
    if (kind === "folder") return { name };
    const { size = 0, mode = 0, nlink: links = 1 } = walkedStats(join(listed, name)) ?? {};
    return { name, entry: { path: `${prefix}${name}`, kind, size, mode: mode & 0o777, links } };
  });
  return { children, truncated };
}

function walkedStats(file: string): Pick<Stats, "size" | "mode" | "nlink"> | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function unreadable(folder: string, cause?: unknown): SkillwrightError {
  const message = `the folder ${JSON.stringify(folder)} cannot be read`;
  return new SkillwrightError("directory-unreadable", message, { cause });
}

export interface WalkResult {
  /** In byte order of the paths. */
  readonly entries: readonly DirectoryEntry[];
  /** True when the walk stopped at a limit and there is more. */
  readonly truncated: boolean;
  /** Folders that could not be read. */
  readonly unreadable: readonly string[];
}

export interface WalkLimits {
  /** Files and folders together. */
  readonly maxEntries?: number;
  readonly maxDepth?: number;
  /** Only what lies below this folder; paths stay relative to the walked one. */
  readonly under?: string;
  /** Names of folders that are left out. */
  readonly skip?: ReadonlySet<string>;
}

/** Everything below a folder that is not a folder. Links are listed, never followed. */
export async function walkDirectory(
  directory: string,
  limits: WalkLimits = {},
): Promise<WalkResult> {
  const { maxEntries = Number.POSITIVE_INFINITY, maxDepth = 64, under = "", skip } = limits;
  const root = realRoot(directory);
  const entries: DirectoryEntry[] = [];
  const unreadable: string[] = [];
  const slice = new TimeSlice();
  let seen = 0;
  let truncated = false;
  await walk(under, 0);
  return { entries, truncated, unreadable };

  async function walk(parent: string, depth: number): Promise<void> {
    const children = read(parent);
    for (const { name, entry } of children) {
      if (slice.isOver) await slice.rest();
      if (entry === undefined && skip?.has(name) === true) continue;
      if (++seen > maxEntries) {
        truncated = true;
        return;
      }
      if (entry !== undefined) entries.push(entry);
      else if (depth + 1 < maxDepth)
        await walk(parent === "" ? name : `${parent}/${name}`, depth + 1);
      else truncated = true;
    }
  }

  function read(parent: string): readonly FolderChild[] {
    try {
      const { children, truncated: more } = readFolder(root, parent, maxEntries - seen);
      truncated ||= more;
      return children;
    } catch (error) {
      if (parent === under || !SkillwrightError.isInstance(error)) throw error;
      unreadable.push(parent);
      return [];
    }
  }
}

function realRoot(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch (cause) {
    const message = `the folder ${JSON.stringify(directory)} cannot be read`;
    throw new SkillwrightError("directory-unreadable", message, { cause });
  }
}
