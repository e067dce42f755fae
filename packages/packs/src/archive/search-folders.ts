import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { TimeSlice } from "@skillwright/core";
import { quoteName, quoteNames } from "@skillwright/core/internal";
import { byteOrder } from "../byte-order.ts";
import { STATE_FOLDER } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { canceled, refuse } from "./refuse.ts";

export interface Search {
  readonly paths: readonly string[];
  /** Files that would be a SKILL.md if they were spelt so. */
  readonly misspelt: readonly string[];
  readonly notes: readonly string[];
}

const MAX_DEPTH = 6;
const MAX_FOLDERS_WITHOUT_SKILL = 2000;
const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  STATE_FOLDER,
  ".svn",
  ".venv",
  "__MACOSX",
  "__pycache__",
  "node_modules",
  "venv",
]);

/** Folders with a SKILL.md, in byte order of their paths; what is below them is theirs. */
export async function searchFolders(
  directory: string,
  signal: AbortSignal | undefined,
): Promise<Search | PackFailure> {
  const paths: string[] = [];
  const misspelt: string[] = [];
  const tooDeep: string[] = [];
  const pending = [{ path: "", depth: 0 }];
  const slice = new TimeSlice();
  let withoutSkill = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (signal?.aborted === true) return canceled();
    if (slice.isOver) await slice.rest();
    const { path, depth } = folder;
    const children = readChildren(join(directory, path));
    if (children === undefined) {
      return refuse("source-unreachable", `the folder ${quoteName(path)} cannot be read`);
    }
    const below = (name: string) => (path === "" ? name : `${path}/${name}`);
    if (children.some((child) => child.name === "SKILL.md" && child.isFile())) {
      paths.push(path);
      continue;
    }
    const spelling = children.find(({ name }) => name.toLowerCase() === "skill.md");
    if (spelling !== undefined) misspelt.push(below(spelling.name));
    if (++withoutSkill > MAX_FOLDERS_WITHOUT_SKILL) {
      const message = `the pack has more than ${MAX_FOLDERS_WITHOUT_SKILL} folders without a skill`;
      return refuse("limit-exceeded", message);
    }
    for (const child of children) {
      if (!child.isDirectory() || SKIPPED.has(child.name)) continue;
      if (depth < MAX_DEPTH) pending.push({ path: below(child.name), depth: depth + 1 });
      else tooDeep.push(below(child.name));
    }
  }
  const notes = [
    ...(misspelt.length > 0 && paths.length > 0
      ? [`not taken, since the name must be SKILL.md: ${quoteNames(misspelt)}`]
      : []),
    ...(tooDeep.length > 0
      ? [`not searched, being more than ${MAX_DEPTH} folders deep: ${quoteNames(tooDeep)}`]
      : []),
  ];
  return { paths: paths.sort(byteOrder), misspelt, notes };
}

export function readChildren(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
