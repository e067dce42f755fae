import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { byteOrder } from "../../byte-order.ts";

/** Everything below a folder, by paths relative to it with `/`. Links are not followed. */
export interface Tree {
  /** In byte order of the paths. */
  readonly entries: readonly TreeEntry[];
  /** With the folder itself, which is empty. */
  readonly folders: readonly string[];
  readonly unreadable: readonly string[];
}

interface TreeEntry {
  readonly path: string;
  readonly kind: "file" | "link" | "special";
}

/**
 * Leaner than the walk of core: it guards against nothing, since what it lists is only hashed and
 * synced, and 500 skills are listed at once.
 */
export function listTree(folder: string): Tree {
  const entries: TreeEntry[] = [];
  const folders: string[] = [];
  const unreadable: string[] = [];
  const waiting = [""];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    let children: Dirent[];
    try {
      children = readdirSync(join(folder, parent), { withFileTypes: true });
    } catch {
      unreadable.push(parent);
      continue;
    }
    folders.push(parent);
    for (const child of children) {
      const path = parent === "" ? child.name : `${parent}/${child.name}`;
      if (child.isDirectory()) waiting.push(path);
      else entries.push({ path, kind: kindOf(child) });
    }
  }
  entries.sort((one, other) => byteOrder(one.path, other.path));
  return { entries, folders, unreadable: unreadable.sort() };
}

function kindOf(entry: Dirent): TreeEntry["kind"] {
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "special";
}
