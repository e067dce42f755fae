import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readSkillMetadata } from "@skillwright/core/internal";
import { readCaseText } from "./read-case-text.ts";

/** Where a file of cases belongs. */
export interface CasePlace {
  /** The skill in whose folder it lies. */
  readonly skill?: string;
  /** No file of a case lies outside of this folder; absolute and real. */
  readonly bounds: string;
}

const MAX_SKILL = 1024 * 1024;
/** As deep as files are looked for below `evals`, and tasks below their suite. */
const MAX_LEVELS = 12;

/** For one reading: each folder is looked at once, however many files lie in it. */
export class CasePlaces {
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

/** As it is found by: what its own file says, where that can be read. */
function skillNameOf(folder: string): string {
  const directoryName = basename(folder);
  const text = readCaseText(join(folder, "SKILL.md"), MAX_SKILL);
  if (typeof text === "object") return directoryName;
  return readSkillMetadata(text, { directoryName }).metadata?.name ?? directoryName;
}
