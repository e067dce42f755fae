import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findSkills } from "@skillwright/core";

const MAX_DEPTH = 4;
const MAX_FILES = 10_000;
const DATA = /\.(?:json|ya?ml)$/i;
/** Names under which cases are kept beside other things. */
const CASES =
  /^(?:evals?|cases|queries|routing|eval[-_](?:queries|set|cases)|.*triggers?(?:[-_].*)?|.*\.(?:evals?|cases))\.(?:json|ya?ml)$/i;
/** What tools write there, and not cases. */
const RESULTS =
  /(?:^|[-_.])(?:results?|report|history|benchmark|grading|metadata|summary|baseline|feedback|schema|timing)\.[^.]+$/i;
const SKIPPED =
  /^(?:files|fixtures|assets|inputs|outputs|results|node_modules|\..*|.*-workspace|iteration-.*)$/i;

/**
 * Files of cases at a path: the file itself; what stands in the `evals` folder of a skill or of all
 * skills below a root; everything in `.agent/evals`. Sorted, each once. Undefined: there is nothing.
 */
export async function findCaseFiles(path: string): Promise<readonly string[] | undefined> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isFile()) return [path];
  const isAll = basename(path) === "evals" && basename(dirname(path)) === ".agent";
  if (isAll || basename(path) === "evals") return sorted(filesIn(path, isAll));
  const own = join(path, ".agent", "evals");
  const { directories } = await findSkills(path);
  const found = [
    ...(isFolder(join(path, ".agent")) && isFolder(own) ? filesIn(own, true) : []),
    ...[path, ...directories].flatMap(casesOfFolder),
  ];
  return sorted(found);
}

function sorted(files: readonly string[]): readonly string[] {
  return [...new Set(files)].sort(byBytes).slice(0, MAX_FILES);
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** In a skill, or a project: its `evals` folder, and files with a known name at its top. */
function casesOfFolder(folder: string): string[] {
  const top = entriesOf(folder).filter((entry) => entry.isFile() && isCases(entry.name));
  const inner = ["evals", "eval"]
    .map((name) => join(folder, name))
    .filter(isFolder)
    .flatMap((path) => filesIn(path, false));
  return [...top.map(({ name }) => join(folder, name)), ...inner];
}

function filesIn(folder: string, isAll: boolean, depth = 0): string[] {
  const entries = entriesOf(folder);
  // The suite names its tasks itself.
  const hasSuite = entries.some(({ name }) => /^eval\.ya?ml$/i.test(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isTasks = hasSuite && entry.name === "tasks";
      if (depth >= MAX_DEPTH || isTasks || SKIPPED.test(entry.name)) return [];
      return filesIn(path, isAll || entry.name === "cases", depth + 1);
    }
    const isWanted = isAll
      ? DATA.test(entry.name) && !RESULTS.test(entry.name)
      : isCases(entry.name);
    return entry.isFile() && isWanted ? [path] : [];
  });
}

/** A link may lead anywhere; who means it names it. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isCases(name: string): boolean {
  return CASES.test(name) && !RESULTS.test(name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
