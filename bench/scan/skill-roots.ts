import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { generateCorpus } from "../corpus.ts";

/** A project whose skills lie where all who are measured look for them. */
export interface BenchProject {
  readonly folder: string;
  /** Its `.agent/skills`. */
  readonly root: string;
  readonly count: number;
}

/** Goes up when the same options give other files. */
const VERSION = 1;
const FOLDER = join(tmpdir(), `scan-bench-${VERSION}`);

/** An empty home folder, and one for indexes: nothing of the user's gets into the measurement. */
export const HOME_FOLDER = join(FOLDER, "home");
export const CACHE_FOLDER = join(FOLDER, "cache");

/** Makes a project with so many generated skills, or takes the one that an earlier run completed. */
export function makeProject(count: number, seed: number): BenchProject {
  const folder = join(FOLDER, `${count}-${seed}`);
  const root = join(folder, ".agent/skills");
  const marker = join(folder, "complete");
  mkdirSync(HOME_FOLDER, { recursive: true });
  if (!existsSync(marker)) {
    rmSync(folder, { recursive: true, force: true });
    writeSkills(root, count, seed);
    writeFileSync(marker, "");
  }
  return { folder, root, count };
}

/** A tree of real skills as it is. Only our own scan looks below its first level. */
export function treeProject(root: string): BenchProject {
  mkdirSync(HOME_FOLDER, { recursive: true });
  return { folder: root, root, count: skillFiles(root).length };
}

/** A project with copies of the same SKILL.md files side by side, where the peers find them too. */
export function flatProject(tree: string): BenchProject {
  const skillFolders = skillFiles(tree).map((file) => dirname(file));
  const folder = join(FOLDER, "flat");
  const root = join(folder, ".agent/skills");
  rmSync(folder, { recursive: true, force: true });
  const names = new Set<string>();
  for (const [i, path] of skillFolders.entries()) {
    const own = basename(path);
    const name = names.has(own) ? `${own}-${i}` : own;
    names.add(name);
    mkdirSync(join(root, name), { recursive: true });
    copyFileSync(join(path, "SKILL.md"), join(root, name, "SKILL.md"));
  }
  return { folder, root, count: skillFolders.length };
}

/** The SKILL.md of each folder below the root, but not those within a skill. */
export function skillFiles(root: string): string[] {
  const pending = [root];
  const files: string[] = [];
  for (const folder of pending) {
    const children = readdirSync(folder, { withFileTypes: true });
    const hasSkill = children.some((child) => child.name === "SKILL.md" && child.isFile());
    if (hasSkill) files.push(join(folder, "SKILL.md"));
    if (hasSkill && folder !== root) continue;
    for (const child of children) {
      if (child.isDirectory() && child.name !== ".git") pending.push(join(folder, child.name));
    }
  }
  return files;
}

export function removeProjects(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** The corpus repeats names; here each folder has its own, and a name that was equal stays so. */
function writeSkills(root: string, count: number, seed: number): void {
  for (const [i, { directoryName, text }] of generateCorpus({ count, seed }).entries()) {
    const unique = `${directoryName}-${i}`;
    mkdirSync(join(root, unique), { recursive: true });
    const name = new RegExp(`^(name: "?)${directoryName}(?=["\\s])`, "m");
    writeFileSync(join(root, unique, "SKILL.md"), text.replace(name, `$1${unique}`));
  }
}
