import { type BigIntStats, type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SKIPPED_FOLDERS } from "../directory/skipped-folders.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { Rule, RuleSettings } from "../format/rules/rule.ts";
import { fileStamp } from "./file-stamp.ts";
import type { IgnoreFilter } from "./ignore-filter.ts";
import { indexedSkill, refusedSkill } from "./indexed-skill.ts";
import { type HeadText, readHeadText } from "./read-head-text.ts";
import { parseHead, type SkillHead } from "./read-skill-head.ts";
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
/** Files read before they are parsed: going from the one to the other costs a processor its caches. */
const BATCH = 32;

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
  index: FolderIndex = { folders: new Map(), skills: new Map() };
  readonly #root: string;
  readonly #options: ScanOptions;
  readonly #slice = new TimeSlice();
  readonly #folders = new Map<string, IndexedFolder>();
  /** Paths of skills that are as the index knows them: as a rule all of them. */
  readonly #known: string[] = [];
  readonly #fresh = new Map<string, IndexedSkill>();
  /** Folders whose SKILL.md cannot be used: the search goes on below them. */
  readonly #unusable = new Set<string>();
  #withoutSkill = 0;
  #hasLinks = false;

  constructor(root: string, options: ScanOptions) {
    this.#root = root;
    this.#options = options;
  }

  async scan(): Promise<void> {
    await this.#searchFolders();
    this.index = this.#makeIndex();
    if (!this.#hasLinks) return;
    const { scanRootLinks } = await import("./scan-root-links.ts");
    this.diagnostics.push(...(await scanRootLinks(this.#root, this.#folders)));
  }

  /** The one that was given, when it is still true. */
  #makeIndex(): FolderIndex {
    const { index: known, ignore } = this.#options;
    this.changed ||=
      known === undefined ||
      known.skills.size !== this.#known.length + this.#fresh.size ||
      known.folders.size !== this.#folders.size;
    if (known !== undefined && !this.changed && this.#fresh.size === 0) return known;
    const skills = this.#fresh;
    for (const path of this.#known) {
      const skill = known?.skills.get(path);
      if (skill !== undefined && !skills.has(path)) skills.set(path, skill);
    }
    const index = { folders: this.#folders, skills };
    return ignore === undefined ? index : { ...index, filtered: true };
  }

  /** Level by level, so that what lies near is found before a limit is reached. */
  async #searchFolders(): Promise<void> {
    const pending: { path: string; depth: number }[] = [{ path: "", depth: 1 }];
    for (const { path, depth } of pending) {
      if (this.#withoutSkill > MAX_FOLDERS_WITHOUT_SKILL) {
        const message = `the search stopped at \`${path}\` after ${MAX_FOLDERS_WITHOUT_SKILL} folders without a skill`;
        this.#report(scanLimit, "", message);
        return;
      }
      const listed = await this.#list(path);
      if (listed === undefined) continue;
      this.#folders.set(path, listed);
      this.#hasLinks ||= listed.links !== undefined;
      if (listed.skills.length === 0) this.#withoutSkill++;
      for (const name of listed.folders) {
        const below = path === "" ? name : `${path}/${name}`;
        if (depth < MAX_DEPTH) pending.push({ path: below, depth: depth + 1 });
        else if (this.#hasFolders(below)) {
          this.#report(scanLimit, below, `the folder is more than ${MAX_DEPTH} levels deep`);
        }
      }
    }
  }

  /** The skills and folders in a folder: as indexed when it has not changed, else as listed. */
  async #list(path: string): Promise<IndexedFolder | undefined> {
    const folder = path === "" ? this.#root : `${this.#root}/${path}`;
    const { index, ignore, now } = this.#options;
    try {
      const { stamp, racy } = fileStamp(statSync(folder, { bigint: true }), now);
      const known = index?.folders.get(path);
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
    const searched = [...known.folders, ...(known.links ?? [])];
    const others = searched.length === 0 ? searched : without(searched, known.skills);
    const taken = await this.#takeSkills(prefix, known.skills);
    const isSame =
      taken.length === known.skills.length &&
      (await this.#takeSkills(prefix, others)).length === 0 &&
      isSameSet(this.#unusableOf(prefix, taken), searched.length - others.length, searched);
    if (isSame) return known;
    const folder = path === "" ? this.#root : `${this.#root}/${path}`;
    return this.#search(path, known.stamp, readdirSync(folder, { withFileTypes: true }));
  }

  async #search(path: string, stamp: string, children: readonly Dirent[]): Promise<IndexedFolder> {
    this.changed = true;
    const prefix = path === "" ? "" : `${path}/`;
    const { ignore } = this.#options;
    if (children.some(({ name }) => name === ".gitignore")) ignore?.enter(path);
    const names: string[] = [];
    const linked = new Set<string>();
    for (const child of children) {
      const { name } = child;
      const isLink = child.isSymbolicLink();
      if ((!isLink && !child.isDirectory()) || SKIPPED_FOLDERS.has(name)) continue;
      if (name === SKILL_FILE) continue;
      if (ignore?.ignores(prefix + name) === true) continue;
      if (isLink) linked.add(name);
      names.push(name);
    }
    const skills = await this.#takeSkills(prefix, names);
    const unusable = this.#unusableOf(prefix, skills);
    const others =
      skills.length === names.length ? [...unusable] : [...without(names, skills), ...unusable];
    others.sort();
    const folders = others.filter((name) => !linked.has(name));
    const links = others.filter((name) => linked.has(name));
    return {
      stamp,
      skills,
      folders,
      ...(links.length === 0 ? undefined : { links }),
    };
  }

  /** Takes the skills among these folders and returns their names. */
  async #takeSkills(prefix: string, names: readonly string[]): Promise<string[]> {
    const taken: string[] = [];
    const heads: (HeadText | undefined)[] = [];
    for (let start = 0; start < names.length; start += BATCH) {
      const end = Math.min(start + BATCH, names.length);
      for (let i = start; i < end; i++) heads[i - start] = this.#readHead(prefix + names[i]);
      for (let i = start; i < end; i++) {
        const name = names[i] as string;
        const took = this.#takeSkill(prefix + name, name, heads[i - start]);
        // Awaiting what is no promise takes longer than all the rest.
        if (typeof took === "boolean" ? took : await took) taken.push(name);
      }
      if (this.#slice.isOver) await this.#slice.rest();
    }
    return taken;
  }

  #unusableOf(prefix: string, names: readonly string[]): readonly string[] {
    return this.#unusable.size === 0
      ? NONE
      : names.filter((name) => this.#unusable.has(prefix + name));
  }

  #fileOf(path: string): string {
    return `${this.#root}/${path}/${SKILL_FILE}`;
  }

  /** Undefined when the skill is as the index knows it. */
  #readHead(path: string): HeadText | undefined {
    const file = this.#fileOf(path);
    return this.#isKnown(path, file) ? undefined : readHeadText(file);
  }

  /** Takes a skill that is as the index knows it. */
  #isKnown(path: string, file: string): boolean {
    const known = this.#options.index?.skills.get(path);
    if (known === undefined || known.racy === true) return false;
    const stats = statsOf(file);
    if (stats === undefined) return false;
    const { stamp, racy } = fileStamp(stats, this.#options.now);
    if (racy || stamp !== known.stamp) return false;
    this.#known.push(path);
    if (this.#fresh.size > 0) this.#fresh.delete(path);
    this.#note(path, known);
    return true;
  }

  /** False when there is no skill in the folder. */
  #takeSkill(
    path: string,
    directoryName: string,
    text: HeadText | undefined,
  ): boolean | Promise<boolean> {
    if (text === undefined) return true;
    const file = this.#fileOf(path);
    const head = parseHead(text, { file, directoryName, rules: this.#options.rules });
    if (!(head instanceof Promise)) return this.#indexSkill(path, file, head);
    return head.then((parsed) => this.#indexSkill(path, file, parsed));
  }

  #indexSkill(path: string, file: string, head: SkillHead): boolean {
    const { index, now } = this.#options;
    const skill = head.ok
      ? indexedSkill(head, now)
      : refusedSkill(`${this.#root}/${path}`, file, head.code);
    if (skill === undefined) return false;
    const known = index?.skills.get(path);
    this.read++;
    this.changed ||= known?.stamp !== skill.stamp || known.racy !== skill.racy;
    this.#fresh.set(path, skill);
    this.#note(path, skill);
    return true;
  }

  #note(path: string, skill: IndexedSkill): void {
    if (skill.metadata === undefined) this.#unusable.add(path);
    else if (this.#unusable.size > 0) this.#unusable.delete(path);
  }

  #hasFolders(path: string): boolean {
    try {
      const children = readdirSync(`${this.#root}/${path}`, { withFileTypes: true });
      return children.some((child) => child.isDirectory() && !SKIPPED_FOLDERS.has(child.name));
    } catch {
      return true;
    }
  }

  #report(rule: Rule, path: string, message: string): void {
    this.diagnostics.push(rootDiagnostic(rule, join(this.#root, path), message));
  }
}

const NONE: readonly string[] = [];

/** The names, of which there must be so many, are all among the others. */
function isSameSet(names: readonly string[], count: number, others: readonly string[]): boolean {
  if (names.length !== count || count === 0) return names.length === count;
  const known = new Set(others);
  return names.every((name) => known.has(name));
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Set(names);
  for (const name of others) left.delete(name);
  return [...left];
}

function statsOf(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
