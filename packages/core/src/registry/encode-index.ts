import { crc32 } from "node:zlib";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { Mutable, SkillMetadata } from "../format/parsed-skill.ts";
import type { FolderIndex, IndexedFolder, IndexedSkill } from "../sources/skill-source.ts";

/** Changes whenever what is stored changes its shape or the parser its results. */
const FORMAT = "skillwright-index-4";

type Names = readonly string[];
type StoredFolder = [path: string, stamp: string, skills: Names, folders: Names, links: Names];

/** Skills lie in columns, which are made and read with far fewer objects than rows. */
interface Stored {
  readonly root: string;
  readonly filtered: boolean;
  readonly folders: StoredFolder[];
  readonly paths: string[];
  readonly stamps: string[];
  readonly flags: number[];
  readonly names: string[];
  readonly descriptions: string[];
  /** Of the skills that have any, by number. */
  readonly versions: [number: number, version: string][];
  readonly diagnostics: [number: number, diagnostics: readonly Diagnostic[]][];
}

const RACY = 1;
const USABLE = 2;
const MODEL_DISABLED = 4;
const USER_INVOCABLE = 8;
const SUBAGENT = 16;
const HIDDEN = 32;

/** An index in a form that is read fast: ASCII, with a checksum before it. */
export function encodeIndex(root: string, { folders, skills, filtered }: FolderIndex): Buffer {
  const stored: Stored = {
    root,
    filtered: filtered === true,
    folders: Array.from(folders, encodeFolder),
    paths: [],
    stamps: [],
    flags: [],
    names: [],
    descriptions: [],
    versions: [],
    diagnostics: [],
  };
  for (const [path, skill] of skills) addSkill(path, skill, stored);
  const payload = JSON.stringify(stored).replace(/[^\0-\x7f]/g, escapeUnit);
  const bytes = Buffer.from(payload, "latin1");
  return Buffer.concat([Buffer.from(`${FORMAT} ${checksum(bytes)}\n`, "latin1"), bytes]);
}

/** Undefined for everything that `encodeIndex` did not make of this root. */
export function decodeIndex(root: string, bytes: Buffer): FolderIndex | undefined {
  const payload = bytes.subarray(bytes.indexOf(10) + 1);
  const header = bytes.toString("latin1", 0, bytes.length - payload.length);
  if (header !== `${FORMAT} ${checksum(payload)}\n`) return undefined;
  const stored: unknown = JSON.parse(payload.toString("latin1"));
  if (!isStored(stored) || stored.root !== root) return undefined;
  const folders = new Map(stored.folders.map(decodeFolder));
  const skills = decodeSkills(stored);
  return stored.filtered ? { folders, skills, filtered: true } : { folders, skills };
}

function encodeFolder([path, folder]: [string, IndexedFolder]): StoredFolder {
  const { stamp, skills, folders, links = [] } = folder;
  return [path, stamp, skills, folders, links];
}

function decodeFolder(stored: StoredFolder): [string, IndexedFolder] {
  const [path, stamp, skills, folders, links] = stored;
  return [path, { stamp, skills, folders, ...(links.length === 0 ? undefined : { links }) }];
}

function addSkill(path: string, skill: IndexedSkill, stored: Stored): void {
  const { stamp, racy = false, metadata, diagnostics = [] } = skill;
  const number = stored.paths.push(path) - 1;
  stored.stamps.push(stamp);
  stored.flags.push((racy ? RACY : 0) | (metadata === undefined ? 0 : flagsOf(metadata)));
  stored.names.push(metadata?.name ?? "");
  stored.descriptions.push(metadata?.description ?? "");
  if (metadata?.version !== undefined) stored.versions.push([number, metadata.version]);
  if (diagnostics.length > 0) stored.diagnostics.push([number, diagnostics]);
}

function flagsOf(metadata: SkillMetadata): number {
  return (
    USABLE |
    (metadata.disableModelInvocation ? MODEL_DISABLED : 0) |
    (metadata.userInvocable ? USER_INVOCABLE : 0) |
    (metadata.runMode === "subagent" ? SUBAGENT : 0) |
    (metadata.hiddenFromModel ? HIDDEN : 0)
  );
}

function decodeSkills(stored: Stored): Map<string, IndexedSkill> {
  const { paths, stamps, flags, names, descriptions } = stored;
  const versions = new Map(stored.versions);
  const diagnostics = new Map(stored.diagnostics);
  const skills = new Map<string, IndexedSkill>();
  for (const [i, path] of paths.entries()) {
    const skill: Mutable<IndexedSkill> = { stamp: stamps[i] ?? "" };
    const bits = flags[i] ?? 0;
    if ((bits & RACY) !== 0) skill.racy = true;
    if ((bits & USABLE) !== 0) {
      const version = versions.get(i);
      const metadata = decodeMetadata(names[i] ?? "", descriptions[i] ?? "", bits);
      if (version !== undefined) metadata.version = version;
      skill.metadata = metadata;
    }
    const found = diagnostics.get(i);
    if (found !== undefined) skill.diagnostics = found;
    skills.set(path, skill);
  }
  return skills;
}

function decodeMetadata(name: string, description: string, bits: number): Mutable<SkillMetadata> {
  return {
    name,
    description,
    disableModelInvocation: (bits & MODEL_DISABLED) !== 0,
    userInvocable: (bits & USER_INVOCABLE) !== 0,
    runMode: (bits & SUBAGENT) === 0 ? "inline" : "subagent",
    hiddenFromModel: (bits & HIDDEN) !== 0,
  };
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null) return false;
  const stored = value as Partial<Record<keyof Stored, unknown>>;
  const { folders, paths, flags, versions, diagnostics } = stored;
  const columns = [paths, stored.stamps, stored.names, stored.descriptions];
  if (typeof stored.root !== "string" || !Array.isArray(paths)) return false;
  return (
    columns.every((column) => isList(column, isText) && column.length === paths.length) &&
    isList(flags, (flag) => typeof flag === "number") &&
    isList(folders, isStoredFolder) &&
    isList(versions, (pair) => Array.isArray(pair) && isText(pair[1])) &&
    isList(diagnostics, (pair) => Array.isArray(pair) && Array.isArray(pair[1]))
  );
}

function isStoredFolder(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [path, stamp, ...names]: unknown[] = value;
  if (!isText(path) || !isText(stamp) || names.length !== 3) return false;
  return names.every((list) => isList(list, isName));
}

function isList(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Names lead from folder to folder, so that one with a separator would lead out of the root. */
function isName(name: unknown): boolean {
  return isText(name) && name !== "" && name !== ".." && !name.includes("/");
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
