import {
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  openSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { SkillwrightError } from "../skillwright-error.ts";
import { TimeSlice } from "./time-slice.ts";
import { inspectFolders, pathOfDescriptor } from "./confined.ts";
import { READ_FLAGS } from "./files.ts";

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
    const { size = 0, mode = 0, nlink: links = 1 } = statsOf(join(listed, name)) ?? {};
    return { name, entry: { path: `${prefix}${name}`, kind, size, mode: mode & 0o777, links } };
  });
  return { children, truncated };
}

function statsOf(file: string): Pick<Stats, "size" | "mode" | "nlink"> | undefined {
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
