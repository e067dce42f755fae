import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
