import { realpathSync } from "node:fs";
import { SkillwrightError } from "../skillwright-error.ts";
import { TimeSlice } from "../sources/time-slice.ts";
import type { DirectoryEntry } from "./directory-entry.ts";
import { type FolderChild, readFolder } from "./walk-directory-folder.ts";

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
