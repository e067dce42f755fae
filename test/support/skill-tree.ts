import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FolderIndex } from "../../packages/core/src/internal/index.ts";
import type { IndexedSkill } from "../../packages/core/src/sources/index.ts";

/** A SKILL.md that loads without a finding. */
export function skillText(name: string, description = "Does it. Use when asked.", more = "") {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n# Goal of ${name}\n`;
}

export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const LONG_AGO = 1_700_000_000;
const RECENTLY = LONG_AGO + 1_000_000;

/**
 * Makes what was written just now look written long ago, since what is new is never taken as known.
 * What is old already keeps its time.
 */
export function ageTree(folder: string, seconds = LONG_AGO): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) ageTree(join(folder, entry.name), seconds);
    else if (entry.isFile()) age(join(folder, entry.name), seconds);
  }
  age(folder, seconds);
}

function age(path: string, seconds: number): void {
  if (statSync(path).mtimeMs > RECENTLY * 1000) utimesSync(path, seconds, seconds);
}

/** By path from the root. */
export function indexedSkills({ folders }: FolderIndex): Map<string, IndexedSkill> {
  const all = [...folders.values()].flatMap(({ skills }) => skills);
  return new Map(all.map((skill) => [skill.relativePath, skill]));
}
