import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { foldName, SKILL_FILE } from "./control-names.ts";

const MAX_DEPTH = 4;
const MAX_FOLDERS = 500;

/** Files that make a skill of the folder they lie in, and links to such a folder. */
export function skillFilesIn(root: string): readonly string[] {
  const found: string[] = [];
  const open = [{ path: root, depth: 0 }];
  for (let seen = 0; seen < MAX_FOLDERS; seen++) {
    const folder = open.shift();
    if (folder === undefined) break;
    for (const entry of entriesOf(folder.path)) {
      const path = join(folder.path, entry.name);
      if (foldName(entry.name) === foldName(SKILL_FILE)) found.push(path);
      else if (entry.isSymbolicLink() && existsSync(join(path, SKILL_FILE))) found.push(path);
      else if (entry.isDirectory() && folder.depth < MAX_DEPTH) {
        open.push({ path, depth: folder.depth + 1 });
      }
    }
  }
  return found;
}

/** Empty when it cannot be read or is not a folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
