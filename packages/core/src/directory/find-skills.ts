import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SKIPPED_FOLDERS } from "./skill-directory.ts";

export interface FoundSkills {
  /** Folders with a SKILL.md in any spelling, parents before children of other parents, sorted. */
  readonly directories: readonly string[];
  /** Folders that could not be read, or where the search stopped at a limit. */
  readonly unfinished: readonly { readonly directory: string; readonly reason: string }[];
}

const MAX_DEPTH = 6;
const MAX_FOLDERS_WITHOUT_SKILL = 2000;

export async function findSkills(root: string): Promise<FoundSkills> {
  const directories: string[] = [];
  const unfinished: { directory: string; reason: string }[] = [];
  const pending: { directory: string; depth: number }[] = [{ directory: root, depth: 0 }];
  let withoutSkill = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const { directory, depth } = folder;
    const children = await readChildren(directory);
    if (typeof children === "string") {
      unfinished.push({ directory, reason: children });
    } else if (children.some(isSkillFile)) {
      directories.push(directory);
    } else if (++withoutSkill > MAX_FOLDERS_WITHOUT_SKILL) {
      const reason = `more than ${MAX_FOLDERS_WITHOUT_SKILL} folders without a skill`;
      unfinished.push({ directory, reason });
      break;
    } else {
      for (const child of children.filter((entry) => !SKIPPED_FOLDERS.has(entry.name))) {
        const path = join(directory, child.name);
        if (child.isDirectory() && depth < MAX_DEPTH) {
          pending.push({ directory: path, depth: depth + 1 });
        } else if (child.isDirectory()) {
          unfinished.push({ directory: path, reason: `nested more than ${MAX_DEPTH} levels deep` });
        } else if (child.isSymbolicLink() && (await leadsToSkill(path))) {
          directories.push(path);
        }
      }
    }
  }
  return { directories: directories.sort(), unfinished };
}

async function readChildren(directory: string): Promise<Dirent[] | string> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isSkillFile({ name }: Dirent): boolean {
  return name.toLowerCase() === "skill.md";
}

async function leadsToSkill(link: string): Promise<boolean> {
  const stats = await stat(join(link, "SKILL.md")).catch(() => undefined);
  return stats !== undefined;
}
