import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findSkills } from "@skillwright/core/internal";
import type { CaseProblem } from "../case-problem.ts";
import { CaseFolderWalk } from "./case-folder-walk.ts";
import { type FoundCaseFile, type FoundCaseFiles, isCasesName } from "./found-case-files.ts";

const MAX_FILES = 10_000;

export async function findCaseFiles(path: string): Promise<FoundCaseFiles | undefined> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isFile()) return { files: [{ path, kind: "cases" }], problems: [] };
  const walk = new CaseFolderWalk();
  if (basename(path) === "evals") {
    walk.enter(path, basename(dirname(path)) === ".agent" ? "cases" : "data");
    return foundBy(walk, path);
  }
  const own = join(path, ".agent", "evals");
  if (isFolder(own) && walk.mayEnter(join(path, ".agent")) && walk.mayEnter(own)) {
    walk.enter(own, "cases");
  }
  const { directories } = await findSkills(path);
  for (const folder of new Set([path, ...directories])) addFolder(folder, walk);
  return foundBy(walk, path);
}

/** In a skill, or a project: its `evals` folder, and files with a known name at its top. */
function addFolder(folder: string, walk: CaseFolderWalk): void {
  const entries = walk.entriesOf(folder);
  for (const entry of entries) {
    if (entry.isFile() && isCasesName(entry.name)) walk.addFile(folder, entry.name, undefined);
  }
  // A project may keep anything in a folder of that name.
  const other = entries.some(({ name }) => name.toLowerCase() === "skill.md") ? "data" : undefined;
  for (const name of ["evals", "eval"]) {
    const inner = join(folder, name);
    if (isFolder(inner) && walk.mayEnter(inner)) walk.enter(inner, other);
  }
}

/** Of what was found below a path, no more than can be read. */
export function foundBy(
  { files: all, problems }: Pick<CaseFolderWalk, "files" | "problems">,
  path: string,
): FoundCaseFiles {
  const files = [...all.values()].sort(byBytes);
  const wanted = files.filter(({ kind }) => kind !== "material");
  const material = files.filter(({ kind }) => kind === "material");
  return {
    files: [...wanted.slice(0, MAX_FILES), ...material.slice(0, MAX_FILES)],
    problems: [
      ...problems,
      ...tooMany(wanted, path, "read"),
      ...tooMany(material, path, "looked through for cases that nobody uses"),
    ],
  };
}

function tooMany(files: readonly FoundCaseFile[], file: string, done: string): CaseProblem[] {
  const left = files.length - MAX_FILES;
  if (left <= 0) return [];
  const message = `there are more than ${MAX_FILES} files: ${left} are not ${done}, from ${files[MAX_FILES]?.path} on`;
  return [{ code: "file-unreadable", severity: "warning", message, file, line: 1 }];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function byBytes({ path: a }: FoundCaseFile, { path: b }: FoundCaseFile): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
