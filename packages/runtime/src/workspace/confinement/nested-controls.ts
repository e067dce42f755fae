import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { foldName, isControlFolder, REPOSITORY_HEAD, SKILL_FILE } from "./control-names.ts";

const MAX_SKILL_FOLDERS = 500;

/** Files that make a skill of the folder they lie in, and links to such a folder. */
export function skillFilesIn(root: string): readonly string[] {
  const found: string[] = [];
  const open = [{ path: root, depth: 0 }];
  for (let seen = 0; seen < MAX_SKILL_FOLDERS; seen++) {
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

/** Empty when it cannot be read, or is not a folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export interface NestedControl {
  readonly path: string;
  readonly ino: number;
  readonly dev: number;
}

interface NestedControls {
  readonly found: readonly NestedControl[];
  /** Those that are links. */
  readonly links: readonly string[];
  /** False when there was more to look at than is looked at. */
  readonly isComplete: boolean;
}

const MAX_DEPTH = 4;
const MAX_FOLDERS = 2000;
/** Each needs a mount. */
const MAX_FOUND = 200;
const SKIPPED = "node_modules";
/** In a work tree or a submodule it is a file that names the repository. */
const REPOSITORY = ".git";
const BARE_REPOSITORY: readonly string[] = [REPOSITORY_HEAD, "objects", "refs"];

/** Control folders in the folders below one; its own are not among them. */
export function nestedControls(root: string): NestedControls {
  const found: NestedControl[] = [];
  const links: string[] = [];
  const open = [{ path: root, depth: 0 }];
  let isComplete = true;
  const keep = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) links.push(path);
    else if (found.length < MAX_FOUND) found.push({ path, ino: stats.ino, dev: stats.dev });
    else isComplete = false;
  };
  for (let seen = 0; open.length > 0; seen++) {
    if (seen === MAX_FOLDERS) return { found, links, isComplete: false };
    const { path: folder, depth } = open.shift() ?? { path: root, depth: 0 };
    const entries = entriesOf(folder);
    if (depth > 0 && isBareRepository(folder)) {
      keep(folder);
      continue;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isControl = isControlFolder(entry.name);
      const isLinkOrFolder = entry.isDirectory() || entry.isSymbolicLink();
      if (isControl && depth > 0 && (isLinkOrFolder || foldName(entry.name) === REPOSITORY)) {
        keep(path);
      } else if (entry.isDirectory() && !isControl && entry.name !== SKIPPED) {
        if (depth === MAX_DEPTH) isComplete = false;
        else open.push({ path, depth: depth + 1 });
      }
    }
  }
  return { found, links, isComplete };
}

export function isBareRepository(folder: string): boolean {
  return BARE_REPOSITORY.every(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  );
}
