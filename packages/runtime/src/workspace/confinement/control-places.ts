import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  controlFolderOf,
  foldName,
  REPOSITORY_HEAD,
  SKILL_FILE,
  SKILL_ROOT,
} from "./control-names.ts";

const MAX_DEPTH = 4;
const MAX_FOLDERS = 500;

/** What makes a working directory one in which nothing is changed. */
export function controlPlaceOf(root: string): string | undefined {
  const isThere = (name: string) =>
    lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
  const isRepository = [REPOSITORY_HEAD, "objects", "refs"].every(isThere);
  return controlFolderOf(root) ?? (isRepository ? "a repository" : undefined);
}

/** The pattern that covers a path in a project's own skills, which are trusted with it. */
export function skillPattern(
  segments: readonly string[],
  hasSkills: () => boolean,
): string | undefined {
  if (foldName(segments[0] ?? "") !== SKILL_ROOT) return undefined;
  return isSkillFile(segments.at(-1) ?? "") || hasSkills() ? `/${SKILL_ROOT}/` : undefined;
}

function isSkillFile(name: string): boolean {
  return foldName(name) === foldName(SKILL_FILE);
}

/** Whether a folder holds a file that makes a skill of the folder it lies in, or a link to such a folder. */
export function holdsSkills(root: string): boolean {
  const open = [{ path: root, depth: 0 }];
  for (let seen = 0; seen < MAX_FOLDERS; seen++) {
    const folder = open.shift();
    if (folder === undefined) return false;
    for (const entry of entriesOf(folder.path)) {
      const path = join(folder.path, entry.name);
      const isLinked = entry.isSymbolicLink() && existsSync(join(path, SKILL_FILE));
      if (isLinked || isSkillFile(entry.name)) return true;
      const isOpened = entry.isDirectory() && folder.depth < MAX_DEPTH;
      if (isOpened) open.push({ path, depth: folder.depth + 1 });
    }
  }
  return false;
}

/** Empty when it cannot be read or is not a folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
