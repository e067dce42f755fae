import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { skillFileMissing } from "../directory/rules/skill-file-missing.ts";
import { skillFileUnreadable } from "../directory/rules/skill-file-unreadable.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { readSkillMetadata } from "../format/parse-skill.ts";
import type { Rule, RuleSettings } from "../format/rules/rule.ts";
import { fileStamp } from "./file-stamp.ts";
import type { IgnoreFilter } from "./ignore-filter.ts";
import { readSkillHead } from "./read-skill-head.ts";
import { rootUnreadable, scanLimit } from "./scan-rules.ts";
import type { FolderIndex, IndexedFolder, IndexedSkill } from "./skill-source.ts";
import { TimeSlice } from "./time-slice.ts";

export interface ScanOptions {
  readonly index?: FolderIndex | undefined;
  readonly ignore?: IgnoreFilter | undefined;
  readonly rules?: RuleSettings | undefined;
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
}

export interface RootScan {
  readonly index: FolderIndex;
  readonly diagnostics: readonly Diagnostic[];
  /** How many SKILL.md were read; the others were as the index knew them. */
  readonly read: number;
}

const SKILL_FILE = "SKILL.md";
const MAX_DEPTH = 6;
const MAX_FOLDERS_WITHOUT_SKILL = 2000;
const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".venv",
  "__pycache__",
  "node_modules",
  "venv",
]);

/** Finds the skills below a folder in one pass, reading only what is new. Never throws. */
export async function scanRoot(root: string, options: ScanOptions): Promise<RootScan> {
  const scanner = new RootScanner(root, options);
  await scanner.scan();
  return scanner;
}

class RootScanner implements RootScan {
  readonly diagnostics: Diagnostic[] = [];
  read = 0;
  readonly #root: string;
  readonly #options: ScanOptions;
  readonly #slice = new TimeSlice();
  readonly #folders: Record<string, IndexedFolder> = Object.create(null);
  readonly #skills: Record<string, IndexedSkill> = Object.create(null);
  #withoutSkill = 0;

  constructor(root: string, options: ScanOptions) {
    this.#root = root;
    this.#options = options;
  }

  get index(): FolderIndex {
    return { folders: this.#folders, skills: this.#skills };
  }

  async scan(): Promise<void> {
    const pending: { path: string; depth: number }[] = [{ path: "", depth: 0 }];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const { path, depth } = folder;
      if (++this.#withoutSkill > MAX_FOLDERS_WITHOUT_SKILL) {
        const message = `the search stopped after ${MAX_FOLDERS_WITHOUT_SKILL} folders without a skill`;
        this.#report(scanLimit, path, message);
        return;
      }
      const listed = await this.#list(path);
      if (listed === undefined) continue;
      this.#folders[path] = listed;
      for (const name of listed.folders.toReversed()) {
        const below = path === "" ? name : `${path}/${name}`;
        if (depth < MAX_DEPTH) pending.push({ path: below, depth: depth + 1 });
        else this.#report(scanLimit, below, `the folder is more than ${MAX_DEPTH} levels deep`);
      }
    }
  }

  /** The skills and folders in a folder: as indexed when it has not changed, else as listed. */
  async #list(path: string): Promise<IndexedFolder | undefined> {
    const folder = path === "" ? this.#root : `${this.#root}/${path}`;
    try {
      const stamp = fileStamp(statSync(folder, { bigint: true }), this.#options.now);
      const known = this.#options.index?.folders[path];
      if (known !== undefined && stamp !== "" && known.stamp === stamp) {
        return await this.#sweep(path, known);
      }
      return await this.#search(path, stamp, readdirSync(folder, { withFileTypes: true }));
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
      this.#report(rootUnreadable, path, `the folder cannot be read: ${reason}`);
      return undefined;
    }
  }

  /** The folder holds the same names as before: only the files may have changed. */
  async #sweep(path: string, known: IndexedFolder): Promise<IndexedFolder> {
    const prefix = path === "" ? "" : `${path}/`;
    const lost: string[] = [];
    for (const name of known.skills) {
      if (!this.#takeSkill(prefix + name)) lost.push(name);
      if (this.#slice.isOver) await this.#slice.rest();
    }
    const gained = known.folders.filter((name) => this.#takeSkill(prefix + name));
    if (lost.length + gained.length === 0) return known;
    return {
      stamp: known.stamp,
      skills: [...known.skills.filter((name) => !lost.includes(name)), ...gained].sort(),
      folders: [...known.folders.filter((name) => !gained.includes(name)), ...lost].sort(),
    };
  }

  async #search(path: string, stamp: string, children: readonly Dirent[]): Promise<IndexedFolder> {
    const prefix = path === "" ? "" : `${path}/`;
    const skills: string[] = [];
    const folders: string[] = [];
    for (const child of children) {
      const isLink = child.isSymbolicLink();
      if ((!isLink && !child.isDirectory()) || SKIPPED.has(child.name)) continue;
      const below = prefix + child.name;
      if (this.#options.ignore?.ignores(below) === true) continue;
      if (this.#takeSkill(below)) skills.push(child.name);
      else if (!isLink) folders.push(child.name);
      if (this.#slice.isOver) await this.#slice.rest();
    }
    return { stamp, skills: skills.sort(), folders: folders.sort() };
  }

  /** Reads a skill, unless it is as the index knows it; false when there is none in the folder. */
  #takeSkill(path: string): boolean {
    const file = `${this.#root}/${path}/${SKILL_FILE}`;
    const known = this.#options.index?.skills[path];
    if (known !== undefined && known.stamp !== "" && known.stamp === this.#stampOf(file)) {
      this.#skills[path] = known;
      return true;
    }
    const skill = this.#readSkill(path, file);
    if (skill === undefined) return false;
    this.read++;
    this.#skills[path] = skill;
    return true;
  }

  #stampOf(file: string): string {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : fileStamp(stats, this.#options.now);
  }

  #readSkill(path: string, file: string): IndexedSkill | undefined {
    const head = readSkillHead(file);
    if (!head.ok) return this.#unreadable(path, file, head.code);
    const stamp = fileStamp(head.stats, this.#options.now);
    const directoryName = path.slice(path.lastIndexOf("/") + 1);
    const { rules } = this.#options;
    const options = rules === undefined ? { directoryName, file } : { directoryName, file, rules };
    const { metadata, diagnostics } = readSkillMetadata(head.text, options);
    const indexed: { -readonly [Key in keyof IndexedSkill]: IndexedSkill[Key] } = { stamp };
    if (metadata !== undefined) indexed.metadata = metadata;
    if (diagnostics.length > 0) indexed.diagnostics = diagnostics;
    return indexed;
  }

  /** Why there is no SKILL.md to read; undefined when nothing in the folder claims to be one. */
  #unreadable(path: string, file: string, code: string): IndexedSkill | undefined {
    const refuse = (rule: Rule, message: string) => ({
      stamp: "",
      diagnostics: [rootDiagnostic(rule, file, message)],
    });
    if (code === "ELOOP") {
      return refuse(skillFileUnreadable, "SKILL.md is a link; links inside a skill are refused");
    }
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      return refuse(skillFileUnreadable, `SKILL.md cannot be read: ${code}`);
    }
    const similar = this.#namesIn(path).find((name) => name.toLowerCase() === "skill.md");
    if (similar === undefined) return undefined;
    return refuse(skillFileMissing, `the file is named \`${similar}\`, not \`SKILL.md\``);
  }

  #namesIn(path: string): string[] {
    try {
      return readdirSync(`${this.#root}/${path}`);
    } catch {
      return [];
    }
  }

  #report(rule: Rule, path: string, message: string): void {
    this.diagnostics.push(rootDiagnostic(rule, join(this.#root, path), message));
  }
}

export function rootDiagnostic(rule: Rule, file: string, message: string): Diagnostic {
  const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const { code, severity, effect } = rule;
  const found = { code, severity, message, file, ...position };
  return effect === undefined ? found : { ...found, effect };
}
