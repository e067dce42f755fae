import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findSkills } from "@skillwright/core/internal";
import type { CaseProblem } from "./eval-case.ts";

const MAX_FILES = 10_000;
/** The files of cases at a path. */
export interface FoundCaseFiles {
  /** In a fixed order, each once. */
  readonly files: readonly FoundCaseFile[];
  /** What was skipped, and why. */
  readonly problems: readonly CaseProblem[];
}

export interface FoundCaseFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: FoundKind;
}

/**
 * - `cases`: holds cases by its name or place; anything else is an error.
 * - `data`: read if it holds cases; anything else is a warning.
 * - `material`: belongs to cases and is not read; cases in it that no case uses are a warning.
 */
export type FoundKind = "cases" | "data" | "material";

const DATA = /\.(?:json|ya?ml)$/i;
/** Names under which cases are kept beside other things. */
const CASES =
  /^(?:evals?|cases|queries|routing|eval[-_](?:queries|set|cases)|.*triggers?(?:[-_].*)?|.*\.(?:evals?|cases))\.(?:json|ya?ml)$/i;
/** What tools call what they write there. Cases may be called so too: see `isResult`. */
const RESULTS =
  /(?:^|[-_.])(?:results?|report|history|benchmark|grading|metadata|summary|baseline|feedback|schema|timing)\.[^.]+$/i;

function isDataName(name: string): boolean {
  return DATA.test(name);
}

function isCasesName(name: string): boolean {
  return CASES.test(name);
}

export function isResultName(name: string): boolean {
  return RESULTS.test(name);
}

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

const MAX_DEPTH = 4;
/** Folders of files that cases use, and of results. */
const MATERIAL = /^(?:files|fixtures|assets|inputs|outputs|results|.*-workspace|iteration-.*)$/i;
const FOREIGN = /^(?:node_modules|\..*)$/i;
/** What eval tools write into a workspace. */
const RUNS = /^(?:iteration-.*|eval-.*|benchmark\.json|grading\.json)$/i;

/** Looks through folders of cases, and reports what it skips. */
class CaseFolderWalk {
  readonly files = new Map<string, FoundCaseFile>();
  readonly problems: CaseProblem[] = [];

  /** A link may lead anywhere. */
  mayEnter(folder: string): boolean {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return true;
    this.#warn(folder, "links are not followed: nothing in it is read");
    return false;
  }

  /** `other` is the kind of data files whose name says nothing; undefined: they are left alone. */
  enter(folder: string, other: FoundKind | undefined, depth = 0): void {
    const entries = this.entriesOf(folder);
    // A suite of waza names its tasks itself.
    const hasSuite = entries.some(({ name }) => /^eval\.ya?ml$/i.test(name));
    for (const { name, ...entry } of entries.map(kindOf)) {
      const path = join(folder, name);
      if (entry.isLink) this.#addLink(path, name, other);
      else if (entry.isFile) this.addFile(folder, name, other);
      else if (entry.isFolder && !FOREIGN.test(name)) {
        const isMaterial = MATERIAL.test(name) || (hasSuite && name === "tasks");
        if (other === "material" || isMaterial) this.#enterMaterial(path, name, other, depth + 1);
        else if (depth < MAX_DEPTH) {
          this.enter(path, name === "cases" ? (other ?? "cases") : other, depth + 1);
        } else this.#warn(path, "it is nested too deep: nothing in it is read");
      }
    }
  }

  addFile(folder: string, name: string, other: FoundKind | undefined): void {
    if (!isDataName(name)) return;
    const path = join(folder, name);
    const named = isCasesName(name) ? "cases" : other;
    const kind = other === "material" ? other : isResultName(name) && named ? "data" : named;
    if (kind !== undefined && !this.files.has(path)) this.files.set(path, { path, kind });
  }

  entriesOf(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : "unknown";
      const message = `the folder cannot be read: ${why}`;
      this.problems.push({
        code: "file-unreadable",
        severity: "error",
        message,
        file: folder,
        line: 1,
      });
      return [];
    }
  }

  #enterMaterial(path: string, name: string, other: FoundKind | undefined, depth: number): void {
    const isWork = /^(?:.*-workspace|iteration-.*)$/i.test(name);
    const isRuns = isWork && this.entriesOf(path).some((entry) => RUNS.test(entry.name));
    // Such a folder may hold anything.
    if (other === undefined || isRuns) return;
    if (depth <= 2 * MAX_DEPTH) this.enter(path, "material", depth);
    else this.#warn(path, "it is nested too deep: nothing in it is looked at");
  }

  #addLink(path: string, name: string, other: FoundKind | undefined): void {
    if (other === "material" || FOREIGN.test(name)) return;
    const isFolder = leadsToFolder(path);
    if ((other !== undefined && (isFolder || isDataName(name))) || isCasesName(name)) {
      this.#warn(path, "links are not followed: it is not read");
    }
  }

  #warn(file: string, message: string): void {
    this.problems.push({ code: "file-unreadable", severity: "warning", message, file, line: 1 });
  }
}

function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}

function kindOf(entry: Dirent) {
  return {
    name: entry.name,
    isLink: entry.isSymbolicLink(),
    isFile: entry.isFile(),
    isFolder: entry.isDirectory(),
  };
}
