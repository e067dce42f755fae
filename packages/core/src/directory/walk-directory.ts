import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { SkillwrightError } from "../skillwright-error.ts";

export interface DirectoryEntry {
  /** Relative to the walked folder, with `/` on every platform. */
  readonly path: string;
  readonly kind: "file" | "link" | "special";
  readonly size: number;
  /** Permission bits; 0 where the platform has none. */
  readonly mode: number;
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
}

/** Everything below a folder that is not a folder. Links are listed, never followed. */
export async function walkDirectory(
  directory: string,
  { maxEntries = Number.POSITIVE_INFINITY, maxDepth = 64 }: WalkLimits = {},
): Promise<WalkResult> {
  const entries: DirectoryEntry[] = [];
  const unreadable: string[] = [];
  const pending: { path: string; depth: number }[] = [{ path: "", depth: 0 }];
  let seen = 0;
  let truncated = false;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const { path: parent, depth } = folder;
    try {
      for await (const child of openFolder(directory, parent)) {
        if (++seen > maxEntries) return { entries: sorted(entries), truncated: true, unreadable };
        const path = parent === "" ? child.name : `${parent}/${child.name}`;
        if (!child.isDirectory()) entries.push(await describe(directory, path, child));
        else if (depth + 1 < maxDepth) pending.push({ path, depth: depth + 1 });
        else truncated = true;
      }
    } catch (error) {
      if (parent === "" || !SkillwrightError.isInstance(error)) throw error;
      unreadable.push(parent);
    }
  }
  return { entries: sorted(entries), truncated, unreadable };
}

async function* openFolder(directory: string, path: string): AsyncGenerator<Dirent> {
  const folder = join(directory, path);
  try {
    yield* await opendir(folder);
  } catch (cause) {
    const message = `the folder ${JSON.stringify(folder)} cannot be read`;
    throw new SkillwrightError("directory-unreadable", message, { cause });
  }
}

async function describe(directory: string, path: string, child: Dirent): Promise<DirectoryEntry> {
  const kind = child.isFile() ? "file" : child.isSymbolicLink() ? "link" : "special";
  const { size, mode } = await lstat(join(directory, path)).catch(() => ({ size: 0, mode: 0 }));
  return { path, kind, size, mode: mode & 0o777 };
}

function sorted(entries: DirectoryEntry[]): DirectoryEntry[] {
  return entries.sort((a, b) => compareBytes(a.path, b.path));
}

/** The order of the UTF-8 bytes, which is that of the code points and not of UTF-16 units. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
