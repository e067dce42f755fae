import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CaseProblem } from "../case-problem.ts";
import {
  type FoundCaseFile,
  type FoundKind,
  isCasesName,
  isDataName,
  isResultName,
} from "./found-case-files.ts";

const MAX_DEPTH = 4;
/** What cases need, and what came of them. */
const MATERIAL = /^(?:files|fixtures|assets|inputs|outputs|results|.*-workspace|iteration-.*)$/i;
const FOREIGN = /^(?:node_modules|\..*)$/i;
/** What a tool for evals fills its folders with. */
const RUNS = /^(?:iteration-.*|eval-.*|benchmark\.json|grading\.json)$/i;

/** Looks through folders of cases, and says what it does not look at. */
export class CaseFolderWalk {
  readonly files = new Map<string, FoundCaseFile>();
  readonly problems: CaseProblem[] = [];

  /** A link may lead anywhere; who means it names it. */
  mayEnter(folder: string): boolean {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return true;
    this.#warn(folder, "it is a link, and links are not followed: nothing in it is read");
    return false;
  }

  /** `other` is what data files are under a name that says nothing; undefined: left alone. */
  enter(folder: string, other: FoundKind | undefined, depth = 0): void {
    const entries = this.entriesOf(folder);
    // The suite names its tasks itself.
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
    // Where anything may lie, nobody is told about it.
    if (other === undefined || isRuns) return;
    if (depth <= 2 * MAX_DEPTH) this.enter(path, "material", depth);
    else this.#warn(path, "it is nested too deep: nothing in it is looked at");
  }

  #addLink(path: string, name: string, other: FoundKind | undefined): void {
    if (other === "material" || FOREIGN.test(name)) return;
    const isFolder = leadsToFolder(path);
    if ((other !== undefined && (isFolder || isDataName(name))) || isCasesName(name)) {
      this.#warn(path, "it is a link, and links are not followed: it is not read");
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
