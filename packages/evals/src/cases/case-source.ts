import { closeSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openConfinedSync, readSkillMetadata } from "@skillwright/core/internal";
import type { CaseProblem, CaseProblemCode } from "./eval-case.ts";
import { type DataDocument, type DocumentPath, readDocument } from "./read-document.ts";

/** What all files of one reading share. */
export interface CaseReading {
  readonly problems: CaseProblem[];
  /** All files that were opened as cases, absolute. */
  readonly opened: Set<string>;
  readonly places: CasePlaces;
}

/** A file of cases that was read. */
export interface CaseSource extends CaseReading, CasePlace {
  /** Absolute. */
  readonly file: string;
  readonly document: DataDocument;
}

export function newReading(): CaseReading {
  return { problems: [], opened: new Set(), places: new CasePlaces() };
}

export function report(
  { file, document, problems }: CaseSource,
  path: DocumentPath,
  code: CaseProblemCode,
  message: string,
  severity: CaseProblem["severity"] = "error",
  hint?: string,
): void {
  const line = document.lineOf(path);
  problems.push({ code, severity, message, file, line, ...(hint !== undefined && { hint }) });
}

/** YAML takes many times its size while it is read. */
const MAX_BYTES = { json: 16 * 1024 * 1024, yaml: 4 * 1024 * 1024 };

/** Opens a file of cases. Undefined if it cannot be read; the reason goes to the problems. */
export function openCaseSource(
  file: string,
  { problems, opened, places }: CaseReading,
  severity: CaseProblem["severity"] = "error",
): CaseSource | undefined {
  opened.add(file);
  const format = /\.json$/i.test(file) ? "json" : "yaml";
  const text = readCaseText(file, MAX_BYTES[format]);
  if (typeof text === "object") {
    const { problem: message } = text;
    problems.push({ code: "file-unreadable", severity, message, file, line: 1 });
    return undefined;
  }
  const read = readDocument(text, format);
  if (!read.ok) {
    const { message, line } = read;
    problems.push({ code: "file-invalid", severity, message, file, line });
    return undefined;
  }
  return { file, document: read.document, ...places.of(file), problems, opened, places };
}

/** The text of a file that is not a link and not larger than this, or the reason why there is none. */
function readCaseText(file: string, most: number): string | { readonly problem: string } {
  try {
    const opened = openConfinedSync(realpathSync(dirname(file)), [basename(file)]);
    if (!opened.ok) return { problem: `it cannot be read: ${opened.reason}` };
    try {
      if (opened.stats.size > most) return { problem: `it is larger than ${most} bytes` };
      return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(opened.descriptor));
    } finally {
      closeSync(opened.descriptor);
    }
  } catch (error) {
    return { problem: `it cannot be read: ${error instanceof Error ? error.message : "unknown"}` };
  }
}

/** Where a file of cases belongs. */
interface CasePlace {
  /** The skill in whose folder it lies. */
  readonly skill?: string;
  /** No file of a case lies outside of this folder; absolute and real. */
  readonly bounds: string;
}

const MAX_SKILL = 1024 * 1024;
/** As deep as files are looked for below `evals`, and tasks below their suite. */
const MAX_LEVELS = 12;

/** Looks at each folder once per reading, however many files are in it. */
class CasePlaces {
  readonly #places = new Map<string, CasePlace>();
  readonly #skills = new Map<string, boolean>();

  of(file: string): CasePlace {
    const folder = dirname(file);
    const known = this.#places.get(folder) ?? this.#placeOf(folder);
    this.#places.set(folder, known);
    return known;
  }

  #placeOf(folder: string): CasePlace {
    const skillFolder = this.#skillFolderOf(folder);
    if (skillFolder === undefined) return { bounds: realpathSync(boundsOf(folder)) };
    return { skill: skillNameOf(skillFolder), bounds: realpathSync(skillFolder) };
  }

  /** The nearest folder that is a skill. */
  #skillFolderOf(start: string): string | undefined {
    let folder = start;
    for (let level = 0; level < MAX_LEVELS; level++) {
      if (this.#isSkill(folder)) return folder;
      if (dirname(folder) === folder) return undefined;
      folder = dirname(folder);
    }
    return undefined;
  }

  #isSkill(folder: string): boolean {
    const known = this.#skills.get(folder) ?? hasSkillFile(folder);
    this.#skills.set(folder, known);
    return known;
  }
}

/** Without a skill: beside the file, or beside the `evals` folder that it lies in. */
function boundsOf(folder: string): string {
  return basename(folder) === "evals" && basename(dirname(folder)) !== ".agent"
    ? dirname(folder)
    : folder;
}

function hasSkillFile(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.toLowerCase() === "skill.md");
  } catch {
    return false;
  }
}

/** The name in its SKILL.md if that can be read, otherwise the name of the folder. */
function skillNameOf(folder: string): string {
  const directoryName = basename(folder);
  const text = readCaseText(join(folder, "SKILL.md"), MAX_SKILL);
  if (typeof text === "object") return directoryName;
  return readSkillMetadata(text, { directoryName }).metadata?.name ?? directoryName;
}

/** The name of a file of cases, or of its folder if the name is only `evals`. */
export function stem(file: string): string {
  const name = basename(file).replace(/(?:\.evals?|\.cases)?\.[^.]+$/i, "");
  if (!/^evals?$/i.test(name)) return name;
  const folder = basename(dirname(file));
  return /^evals?$/i.test(folder) ? basename(dirname(dirname(file))) : folder;
}
