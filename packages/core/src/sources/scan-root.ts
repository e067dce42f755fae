import { type BigIntStats, type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import type { Diagnostic, Mutable } from "../format/diagnostic.ts";
import type { MetadataResult } from "../format/parse-skill.ts";
import type { Rule, RuleSettings } from "../format/draft.ts";
import { type IgnoreFilter, isSearched, listFolder, prefixOf } from "./list-folder.ts";
import { misnamedSkillFile, nearSkillFile, unreadableSkillFile } from "./look-for-skill.ts";
import { type HeadText, readHeadText } from "./read-head-text.ts";
import { parseHead } from "./read-skill-head.ts";
import { rootDiagnostic, rootUnreadable, scanLimit } from "./scan-rules.ts";
import { fileStamp, TimeSlice } from "../internal/files.ts";
import { type FolderIndex, type IndexedFolder, type IndexedSkill } from "./skill-source.ts";

type SkillPlace = Pick<IndexedSkill, "source" | "root" | "relativePath" | "directory">;

/** What the index keeps of a SKILL.md that was read. */
function indexedSkill(
  { source, root, relativePath, directory }: SkillPlace,
  { metadata, diagnostics }: MetadataResult,
  stats: BigIntStats,
  now: bigint,
): IndexedSkill {
  const { stamp, racy } = fileStamp(stats, now);
  // Nearly all: an object that is made in one go is faster than one that grows.
  if (!racy && metadata !== undefined) {
    return { source, root, relativePath, directory, diagnostics, stamp, metadata };
  }
  const indexed: Mutable<IndexedSkill> = {
    source,
    root,
    relativePath,
    directory,
    diagnostics,
    stamp,
  };
  if (metadata !== undefined) indexed.metadata = metadata;
  if (racy) indexed.racy = true;
  return indexed;
}

interface ScanOptions {
  /** The source's label. */
  readonly source: string;
  readonly index?: FolderIndex | undefined;
  readonly ignore?: IgnoreFilter | undefined;
  readonly rules?: RuleSettings | undefined;
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
}

interface RootScan {
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
/** Listings that are kept until the search goes on below their folders. */
const MAX_LISTINGS = 10_000;
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
  index: FolderIndex;
  readonly #root: string;
  readonly #options: ScanOptions;
  readonly #slice = new TimeSlice();
  readonly #folders = new Map<string, IndexedFolder>();
  /** Of folders without a skill, from the look for one to the search below them. */
  readonly #listings = new Map<string, readonly Dirent[]>();
  #withoutSkill = 0;
  #hasLinks = false;
  /** Every folder so far is as the index knows it. */
  #isKnown = true;

  constructor(root: string, options: ScanOptions) {
    this.#root = root;
    this.#options = options;
    this.index = { source: options.source, root, folders: this.#folders };
  }

  async scan(): Promise<void> {
    await this.#searchFolders();
    this.#finishIndex();
    if (!this.#hasLinks) return;
    const { scanRootLinks } = await import("./scan-root-links.ts");
    this.diagnostics.push(...(await scanRootLinks(this.#root, this.#folders)));
  }

  /** It is the one that was given when that is still true. */
  #finishIndex(): void {
    const { index: known, ignore } = this.#options;
    this.changed ||= known?.folders.size !== this.#folders.size;
    if (known !== undefined && this.#isKnown && !this.changed) this.index = known;
    else if (ignore !== undefined) this.index = { ...this.index, filtered: true };
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
        const below = prefixOf(path) + name;
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
    const changed = await this.#changedSkills(known.skills);
    const taken = await this.#takeSkills(pathsOf(changed), changed);
    const isSame =
      taken.length === changed.length &&
      taken.every((skill, i) => isUnusable(skill) === isUnusable(changed[i] as IndexedSkill));
    if (!isSame) return undefined;
    const prefix = prefixOf(path);
    const searched = [...known.folders, ...(known.links ?? [])].map((name) => prefix + name);
    const others = without(searched, pathsOf(known.skills.filter(isUnusable))).filter(
      (other) => !this.#isSameFolder(other),
    );
    if ((await this.#takeSkills(others, NONE)).length > 0) return undefined;
    if (taken.length === 0) return known;
    const fresh = new Map(changed.map((skill, i) => [skill, taken[i] as IndexedSkill]));
    return { ...known, skills: known.skills.map((skill) => fresh.get(skill) ?? skill) };
  }

  /** A folder that was searched and holds the same names: no SKILL.md has come. */
  #isSameFolder(path: string): boolean {
    const known = this.#options.index?.folders.get(path);
    if (known === undefined || known.stamp === "") return false;
    const stats = statsOf(this.#folderOf(path));
    if (stats === undefined) return false;
    const { stamp, racy } = fileStamp(stats, this.#options.now);
    return !racy && stamp === known.stamp;
  }

  /** Those that are no longer as the index knows them, or must be read in any case. */
  async #changedSkills(skills: readonly IndexedSkill[]): Promise<IndexedSkill[]> {
    const changed: IndexedSkill[] = [];
    for (let i = 0; i < skills.length; i++) {
      const skill = skills[i] as IndexedSkill;
      if (!this.#isAsKnown(`${skill.directory}/${SKILL_FILE}`, skill)) changed.push(skill);
      if (i % BATCH === 0 && this.#slice.isOver) await this.#slice.rest();
    }
    return changed;
  }

  async #search(
    path: string,
    stamp: string,
    known: IndexedFolder | undefined,
  ): Promise<IndexedFolder> {
    this.changed = true;
    const folder = this.#folderOf(path);
    const children = this.#listings.get(path) ?? readdirSync(folder, { withFileTypes: true });
    this.#listings.delete(path);
    const { paths, links: linked } = listFolder(children, path, this.#options.ignore);
    const skills = await this.#takeSkills(paths, known ? inOrderOf(paths, known) : NONE);
    const others = withoutSkills(paths, skills);
    const start = prefixOf(path).length;
    const namesOf = (those: readonly string[]) => those.map((one) => one.slice(start));
    const folders = namesOf(others.filter((one) => !linked.has(one)));
    const links = namesOf(others.filter((one) => linked.has(one)));
    return { stamp, skills, folders, ...(links.length === 0 ? undefined : { links }) };
  }

  /** Takes the skills among these folders; of each there is what the index knows of it, or nothing. */
  async #takeSkills(
    paths: readonly string[],
    known: readonly (IndexedSkill | undefined)[],
  ): Promise<IndexedSkill[]> {
    const taken: IndexedSkill[] = [];
    const heads: (HeadText | undefined)[] = [];
    const prefix = `${this.#root}/`;
    for (let start = 0; start < paths.length; start += BATCH) {
      const end = Math.min(start + BATCH, paths.length);
      for (let i = start; i < end; i++) {
        const file = `${prefix + paths[i]}/${SKILL_FILE}`;
        heads[i - start] = this.#isAsKnown(file, known[i]) ? undefined : readHeadText(file);
      }
      for (let i = start; i < end; i++) {
        const head = heads[i - start];
        const took = head === undefined ? known[i] : this.#take(paths[i] as string, head, known[i]);
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
    relativePath: string,
    head: HeadText,
    known: IndexedSkill | undefined,
  ): IndexedSkill | undefined | Promise<IndexedSkill | undefined> {
    const { source, rules, now } = this.#options;
    const root = this.#root;
    const directory = `${root}/${relativePath}`;
    const place = { source, root, relativePath, directory };
    if (!head.ok) return this.#note(this.#refused(place, head.code), known);
    const directoryName = relativePath.slice(relativePath.lastIndexOf("/") + 1);
    const file = `${directory}/${SKILL_FILE}`;
    const found = parseHead(head, { file, directoryName, rules });
    const { stats } = head;
    if (!(found instanceof Promise))
      return this.#note(indexedSkill(place, found, stats, now), known);
    return found.then((late) => this.#note(indexedSkill(place, late, stats, now), known));
  }

  /** Why there is no SKILL.md to read; undefined when nothing in the folder claims to be one. */
  #refused(place: SkillPlace, code: string): IndexedSkill | undefined {
    const file = `${place.directory}/${SKILL_FILE}`;
    const refused = (diagnostic: Diagnostic): IndexedSkill => {
      return { ...place, diagnostics: [diagnostic], stamp: "", racy: true };
    };
    if (code !== "ENOENT" && code !== "ENOTDIR") return refused(unreadableSkillFile(file, code));
    const children = childrenOf(place.directory);
    if (children === undefined) return undefined;
    const near = nearSkillFile(children.map(({ name }) => name));
    if (near !== undefined) return refused(misnamedSkillFile(file, near));
    if (this.#listings.size < MAX_LISTINGS) {
      this.#listings.set(place.relativePath, children.filter(isSearched));
    }
    return undefined;
  }

  #note(skill: IndexedSkill | undefined, known: IndexedSkill | undefined) {
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

function pathsOf(skills: readonly IndexedSkill[]): string[] {
  return skills.map(({ relativePath }) => relativePath);
}

function inOrderOf(paths: readonly string[], { skills }: IndexedFolder) {
  const byPath = new Map(skills.map((skill) => [skill.relativePath, skill]));
  return paths.map((path) => byPath.get(path));
}

/** Where the search goes on. The skills are some of the paths, in the same order. */
function withoutSkills(paths: readonly string[], skills: readonly IndexedSkill[]): string[] {
  let next = 0;
  return paths.filter((path) => {
    const skill = skills[next];
    if (skill?.relativePath !== path) return true;
    next++;
    return isUnusable(skill);
  });
}

function without(paths: string[], others: readonly string[]): string[] {
  if (paths.length === 0 || others.length === 0) return paths;
  const left = new Set(paths);
  for (const path of others) left.delete(path);
  return [...left];
}

function childrenOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function statsOf(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
