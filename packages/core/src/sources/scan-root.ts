import { type BigIntStats, lstatSync, readdirSync, statSync } from "node:fs";
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
  index: FolderIndex = { folders: new Map() };
  readonly #root: string;
  readonly #options: ScanOptions;
  readonly #slice = new TimeSlice();
  readonly #folders = new Map<string, IndexedFolder>();
  #withoutSkill = 0;
  #hasLinks = false;
  /** Every folder so far is as the index knows it. */
  #isKnown = true;

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
    const folders = this.#folders;
    this.changed ||= known?.folders.size !== folders.size;
    if (known !== undefined && this.#isKnown && !this.changed) return known;
    return ignore === undefined ? { folders } : { folders, filtered: true };
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
      const known = this.#options.index?.folders.get(path);
      const listed = await this.#list(path, known);
      this.#isKnown &&= listed === known;
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
  async #list(path: string, known: IndexedFolder | undefined): Promise<IndexedFolder | undefined> {
    const { index, ignore, now } = this.#options;
    try {
      const { stamp, racy } = fileStamp(statSync(this.#folderOf(path), { bigint: true }), now);
      const isKnown = known?.stamp === stamp && !racy;
      const mayBeSwept = isKnown && ignore === undefined && index?.filtered !== true;
      const swept = mayBeSwept ? await this.#sweep(path, known) : undefined;
      return swept ?? (await this.#search(path, racy ? "" : stamp, known));
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
      this.#report(rootUnreadable, path, `the folder cannot be read: ${reason}`);
      return undefined;
    }
  }

  /** The folder holds the same names as before; undefined when they lead to something else. */
  async #sweep(path: string, known: IndexedFolder): Promise<IndexedFolder | undefined> {
    const skills = await this.#takeSkills(path, namesOf(known.skills), known.skills);
    if (skills.length !== known.skills.length) return undefined;
    const isSame = skills.every((skill, i) => skill === known.skills[i]);
    const unusable = skills.filter(isUnusable);
    if (!isSame && !isSameList(namesOf(unusable), namesOf(known.skills.filter(isUnusable))))
      return undefined;
    const others = without([...known.folders, ...(known.links ?? [])], namesOf(unusable));
    if ((await this.#takeSkills(path, others, NONE)).length > 0) return undefined;
    return isSame ? known : { ...known, skills };
  }

  async #search(
    path: string,
    stamp: string,
    known: IndexedFolder | undefined,
  ): Promise<IndexedFolder> {
    this.changed = true;
    const prefix = path === "" ? "" : `${path}/`;
    const { ignore } = this.#options;
    const children = readdirSync(this.#folderOf(path), { withFileTypes: true });
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
    const skills = await this.#takeSkills(path, names, known ? inOrderOf(names, known) : NONE);
    const others = without(names, namesOf(skills.filter((skill) => !isUnusable(skill)))).sort();
    const folders = others.filter((name) => !linked.has(name));
    const links = others.filter((name) => linked.has(name));
    return { stamp, skills, folders, ...(links.length === 0 ? undefined : { links }) };
  }

  /** Takes the skills among these folders; of each there is what the index knows of it, or nothing. */
  async #takeSkills(
    path: string,
    names: readonly string[],
    known: readonly (IndexedSkill | undefined)[],
  ): Promise<IndexedSkill[]> {
    const prefix = `${this.#folderOf(path)}/`;
    const taken: IndexedSkill[] = [];
    const heads: (HeadText | undefined)[] = [];
    for (let start = 0; start < names.length; start += BATCH) {
      const end = Math.min(start + BATCH, names.length);
      for (let i = start; i < end; i++) {
        const file = `${prefix + names[i]}/${SKILL_FILE}`;
        heads[i - start] = this.#isAsKnown(file, known[i]) ? undefined : readHeadText(file);
      }
      for (let i = start; i < end; i++) {
        const head = heads[i - start];
        const took =
          head === undefined ? known[i] : this.#take(prefix, names[i] as string, head, known[i]);
        // Awaiting what is no promise takes longer than all the rest.
        const skill = took instanceof Promise ? await took : took;
        if (skill !== undefined) taken.push(skill);
      }
      if (this.#slice.isOver) await this.#slice.rest();
    }
    return taken;
  }

  #folderOf(path: string): string {
    return path === "" ? this.#root : `${this.#root}/${path}`;
  }

  #isAsKnown(file: string, known: IndexedSkill | undefined): boolean {
    if (known === undefined || known.racy === true) return false;
    const stats = statsOf(file);
    if (stats === undefined) return false;
    const { stamp, racy } = fileStamp(stats, this.#options.now);
    return !racy && stamp === known.stamp;
  }

  /** Undefined when there is no skill in the folder. */
  #take(
    prefix: string,
    name: string,
    text: HeadText,
    known: IndexedSkill | undefined,
  ): IndexedSkill | undefined | Promise<IndexedSkill | undefined> {
    const file = `${prefix + name}/${SKILL_FILE}`;
    const head = parseHead(text, { file, directoryName: name, rules: this.#options.rules });
    if (!(head instanceof Promise)) return this.#index(prefix, name, head, known);
    return head.then((parsed) => this.#index(prefix, name, parsed, known));
  }

  #index(
    prefix: string,
    name: string,
    head: SkillHead,
    known: IndexedSkill | undefined,
  ): IndexedSkill | undefined {
    const skill = head.ok
      ? indexedSkill(name, head, this.#options.now)
      : refusedSkill(name, prefix + name, head.code);
    if (skill === undefined) return undefined;
    this.read++;
    this.changed ||= known?.stamp !== skill.stamp || known.racy !== skill.racy;
    return skill;
  }

  #hasFolders(path: string): boolean {
    try {
      const children = readdirSync(this.#folderOf(path), { withFileTypes: true });
      return children.some((child) => child.isDirectory() && !SKIPPED_FOLDERS.has(child.name));
    } catch {
      return true;
    }
  }

  #report(rule: Rule, path: string, message: string): void {
    this.diagnostics.push(rootDiagnostic(rule, join(this.#root, path), message));
  }
}

const NONE: readonly undefined[] = [];

/** The search goes on below such a folder. */
function isUnusable({ metadata }: IndexedSkill): boolean {
  return metadata === undefined;
}

function namesOf(skills: readonly IndexedSkill[]): string[] {
  return skills.map(({ name }) => name);
}

function inOrderOf(names: readonly string[], { skills }: IndexedFolder) {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return names.map((name) => byName.get(name));
}

function isSameList(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, i) => name === others[i]);
}

function without(names: string[], others: readonly string[]): string[] {
  if (names.length === 0 || others.length === 0) return names;
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
