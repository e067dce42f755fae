import { closeSync, constants, lstatSync, opendirSync, openSync, type Stats } from "node:fs";
import { join } from "node:path";
import { SkillwrightError } from "../skillwright-error.ts";
import { inspectFolders } from "./open-confined-folders.ts";
import { pathOfDescriptor } from "./open-confined-sync.ts";
import { READ_WITHOUT_FOLLOWING } from "./open-flags.ts";
import type { DirectoryEntry } from "./directory-entry.ts";

export interface FolderChild {
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
export function readFolder(
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
    return openSync(folder, READ_WITHOUT_FOLLOWING | constants.O_DIRECTORY);
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
