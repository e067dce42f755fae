import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { skillFileMissing } from "../directory/rules/skill-file-missing.ts";
import { SKIPPED_FOLDERS } from "../directory/skipped-folders.ts";
import { skillFileUnreadable } from "../directory/rules/skill-file-unreadable.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { readSkillMetadata } from "../format/parse-skill.ts";
import type { Mutable } from "../format/parsed-skill.ts";
import type { Rule, RuleSettings } from "../format/rules/rule.ts";
import { fileStamp } from "./file-stamp.ts";
import type { IgnoreFilter } from "./ignore-filter.ts";
import { readSkillHead } from "./read-skill-head.ts";
import { rootDiagnostic } from "./root-diagnostic.ts";
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
  /** Whether anything differs from the index that was given. */
  readonly changed: boolean;
}

const SKILL_FILE = "SKILL.md";
const MAX_DEPTH = 6;
const MAX_FOLDERS_WITHOUT_SKILL = 2000;

/** Finds the skills below a folder in one pass, reading only what is new. Never throws. */
export async function scanRoot(root: string, options: ScanOptions): Promise<RootScan> {
  const scanner = new RootScanner(root, options);
  await scanner.scan();
  return scanner;
}

class RootScanner implements RootScan {
  readonly diagnostics: Diagnostic[] = [];
  read = 0;
  changed = false;
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
    const index = { folders: this.#folders, skills: this.#skills };
    return this.#options.ignore === undefined ? index : { ...index, filtered: true };
  }

  async scan(): Promise<void> {
    const pending: { path: string; depth: number }[] = [{ path: "", depth: 1 }];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const { path, depth } = folder;
      const listed = await this.#list(path);
      if (listed === undefined) continue;
      this.#folders[path] = listed;
      if (listed.skills.length === 0) this.#withoutSkill++;
      if (this.#withoutSkill + pending.length > MAX_FOLDERS_WITHOUT_SKILL) {
        const message = `the search stopped after ${MAX_FOLDERS_WITHOUT_SKILL} folders without a skill`;
        this.#report(scanLimit, path, message);
        return;
      }
      for (const name of listed.folders.toReversed()) {
        const below = path === "" ? name : `${path}/${name}`;
        if (depth < MAX_DEPTH) pending.push({ path: below, depth: depth + 1 });
        else this.#report(scanLimit, below, `the folder is more than ${MAX_DEPTH} levels deep`);
      }
    }
    const known = this.#options.index;
    this.changed ||=
      known === undefined ||
      Object.keys(known.skills).length !== Object.keys(this.#skills).length ||
      Object.keys(known.folders).length !== Object.keys(this.#folders).length;
  }

  /** The skills and folders in a folder: as indexed when it has not changed, else as listed. */
  async #list(path: string): Promise<IndexedFolder | undefined> {
    const folder = path === "" ? this.#root : `${this.#root}/${path}`;
    const { index, ignore, now } = this.#options;
    try {
      const { stamp, racy } = fileStamp(statSync(folder, { bigint: true }), now);
      const known = index?.folders[path];
      const isKnown =
        known?.stamp === stamp && !racy && ignore === undefined && index?.filtered !== true;
      if (isKnown && known !== undefined) return await this.#sweep(path, known);
      this.changed ||= known?.stamp !== stamp;
      return await this.#search(
        path,
        racy ? "" : stamp,
        readdirSync(folder, { withFileTypes: true }),
      );
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
      this.#report(rootUnreadable, path, `the folder cannot be read: ${reason}`);
      return undefined;
    }
  }

  /** The folder holds the same names as before: only what they lead to may have changed. */
  async #sweep(path: string, known: IndexedFolder): Promise<IndexedFolder> {
    const prefix = path === "" ? "" : `${path}/`;
    let isSame = true;
    for (const name of known.skills) {
      if (!this.#takeSkill(prefix + name)) isSame = false;
      if (this.#slice.isOver) await this.#slice.rest();
    }
    for (const name of [...known.folders, ...(known.links ?? [])]) {
      if (this.#takeSkill(prefix + name)) isSame = false;
    }
    if (isSame) return known;
    const folder = path === "" ? this.#root : `${this.#root}/${path}`;
    return this.#search(path, known.stamp, readdirSync(folder, { withFileTypes: true }));
  }

  async #search(path: string, stamp: string, children: readonly Dirent[]): Promise<IndexedFolder> {
    this.changed = true;
    const prefix = path === "" ? "" : `${path}/`;
    const skills: string[] = [];
    const folders: string[] = [];
    const links: string[] = [];
    if (children.some(({ name }) => name === ".gitignore")) this.#options.ignore?.enter(path);
    for (const child of children) {
      const isLink = child.isSymbolicLink();
      if ((!isLink && !child.isDirectory()) || SKIPPED_FOLDERS.has(child.name)) continue;
      const below = prefix + child.name;
      if (this.#options.ignore?.ignores(below) === true) continue;
      if (this.#takeSkill(below)) skills.push(child.name);
      else if (isLink) links.push(child.name);
      else folders.push(child.name);
      if (folders.length > MAX_FOLDERS_WITHOUT_SKILL) break;
      if (this.#slice.isOver) await this.#slice.rest();
    }
    const listed = { stamp, skills: skills.sort(), folders: folders.sort() };
    return links.length === 0 ? listed : { ...listed, links: links.sort() };
  }

  /** Reads a skill, unless it is as the index knows it; false when there is none in the folder. */
  #takeSkill(path: string): boolean {
    if (this.#skills[path] !== undefined) return true;
    const file = `${this.#root}/${path}/${SKILL_FILE}`;
    const known = this.#options.index?.skills[path];
    if (known !== undefined && known.racy !== true && known.stamp === this.#stampOf(file)) {
      this.#skills[path] = known;
      return true;
    }
    const skill = this.#readSkill(path, file);
    if (skill === undefined) return false;
    this.read++;
    this.changed ||= known?.stamp !== skill.stamp || known.racy !== skill.racy;
    this.#skills[path] = skill;
    return true;
  }

  #stampOf(file: string): string {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return "";
    const { stamp, racy } = fileStamp(stats, this.#options.now);
    return racy ? "" : stamp;
  }

  #readSkill(path: string, file: string): IndexedSkill | undefined {
    const head = readSkillHead(file);
    if (!head.ok) return this.#unreadable(path, file, head.code);
    const { stamp, racy } = fileStamp(head.stats, this.#options.now);
    const directoryName = path.slice(path.lastIndexOf("/") + 1);
    const { rules } = this.#options;
    const options = rules === undefined ? { directoryName, file } : { directoryName, file, rules };
    const { metadata, diagnostics } = readSkillMetadata(head.text, options);
    const indexed: Mutable<IndexedSkill> = { stamp };
    if (racy) indexed.racy = true;
    if (metadata !== undefined) indexed.metadata = metadata;
    if (diagnostics.length > 0) indexed.diagnostics = diagnostics;
    return indexed;
  }

  /** Why there is no SKILL.md to read; undefined when nothing in the folder claims to be one. */
  #unreadable(path: string, file: string, code: string): IndexedSkill | undefined {
    const refuse = (rule: Rule, message: string) => ({
      stamp: "",
      racy: true,
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
