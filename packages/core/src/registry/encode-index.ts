import { crc32 } from "node:zlib";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { Mutable, SkillMetadata } from "../format/parsed-skill.ts";
import type { FolderIndex, IndexedFolder, IndexedSkill } from "../sources/skill-source.ts";

/** Changes whenever what is stored changes its shape or the parser its results. */
const FORMAT = "skillwright-index-6";

type Names = readonly string[];
type StoredFolder = [path: string, stamp: string, skills: number, folders: Names, links: Names];

/** The first line, in JSON. Of each skill four lines follow, which take no time to read: folder, stamp, name, description. */
interface Head {
  readonly root: string;
  readonly filtered: boolean;
  readonly folders: StoredFolder[];
  /** One number for each skill, folder by folder. */
  readonly flags: number[];
  /** Of the skills that have any, by number. */
  readonly versions: [number: number, version: string][];
  readonly diagnostics: [number: number, diagnostics: readonly Diagnostic[]][];
  /** What a line cannot hold, by its number. */
  readonly special: [line: number, text: string][];
}

const LINES = 4;
const ONE_LINE = /^[ -~]*$/;

const RACY = 1;
const USABLE = 2;
const MODEL_DISABLED = 4;
const USER_INVOCABLE = 8;
const SUBAGENT = 16;
const HIDDEN = 32;

/** An index in a form that is read fast: ASCII, with a checksum before it. */
export function encodeIndex(root: string, { folders, filtered }: FolderIndex): Buffer {
  const head: Head = {
    root,
    filtered: filtered === true,
    folders: Array.from(folders, encodeFolder),
    flags: [],
    versions: [],
    diagnostics: [],
    special: [],
  };
  const lines = [""];
  for (const { skills } of folders.values()) {
    for (const skill of skills) addSkill(skill, head, lines);
  }
  lines[0] = JSON.stringify(head).replace(/[^\0-\x7f]/g, escapeUnit);
  const bytes = Buffer.from(lines.join("\n"), "latin1");
  return Buffer.concat([Buffer.from(`${FORMAT} ${checksum(bytes)}\n`, "latin1"), bytes]);
}

/** Undefined for everything that `encodeIndex` did not make of this root. */
export function decodeIndex(root: string, bytes: Buffer): FolderIndex | undefined {
  const payload = bytes.subarray(bytes.indexOf(10) + 1);
  const header = bytes.toString("latin1", 0, bytes.length - payload.length);
  if (header !== `${FORMAT} ${checksum(payload)}\n`) return undefined;
  // Pieces of one long text, which nobody copies.
  const lines = payload.toString("latin1").split("\n");
  const head: unknown = JSON.parse(lines[0] ?? "");
  if (!isHead(head) || head.root !== root) return undefined;
  if (lines.length !== 1 + head.flags.length * LINES) return undefined;
  for (const [line, text] of head.special) lines[line] = text;
  const skills = decodeSkills(head, lines);
  if (!skills.every(({ name }) => isName(name))) return undefined;
  const folders = decodeFolders(head.folders, skills);
  return head.filtered ? { folders, filtered: true } : { folders };
}

function encodeFolder([path, folder]: [string, IndexedFolder]): StoredFolder {
  const { stamp, skills, folders, links = [] } = folder;
  return [path, stamp, skills.length, folders, links];
}

function decodeFolders(
  stored: readonly StoredFolder[],
  all: readonly IndexedSkill[],
): Map<string, IndexedFolder> {
  const decoded = new Map<string, IndexedFolder>();
  let start = 0;
  for (const [path, stamp, count, folders, links] of stored) {
    const skills = all.slice(start, start + count);
    start += count;
    const more = links.length === 0 ? undefined : { links };
    decoded.set(path, { stamp, skills, folders, ...more });
  }
  return decoded;
}

function addSkill(skill: IndexedSkill, head: Head, lines: string[]): void {
  const { name: folder, stamp, racy = false, metadata, diagnostics = [] } = skill;
  const number = head.flags.push((racy ? RACY : 0) | (metadata ? flagsOf(metadata) : 0)) - 1;
  const name = metadata === undefined || metadata.name === folder ? "" : metadata.name;
  for (const text of [folder, stamp, name, metadata?.description ?? ""]) {
    if (ONE_LINE.test(text)) lines.push(text);
    else head.special.push([lines.push("") - 1, text]);
  }
  if (metadata?.version !== undefined) head.versions.push([number, metadata.version]);
  if (diagnostics.length > 0) head.diagnostics.push([number, diagnostics]);
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

function decodeSkills(head: Head, lines: Names): IndexedSkill[] {
  const versions = new Map(head.versions);
  const diagnostics = new Map(head.diagnostics);
  return head.flags.map((bits, i) => {
    const line = 1 + i * LINES;
    const folder = lines[line] ?? "";
    const skill: Mutable<IndexedSkill> = { name: folder, stamp: lines[line + 1] ?? "" };
    if ((bits & RACY) !== 0) skill.racy = true;
    if ((bits & USABLE) !== 0) {
      const version = versions.get(i);
      const metadata = decodeMetadata(lines[line + 2] || folder, lines[line + 3] ?? "", bits);
      if (version !== undefined) metadata.version = version;
      skill.metadata = metadata;
    }
    const found = diagnostics.get(i);
    if (found !== undefined) skill.diagnostics = found;
    return skill;
  });
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

function isHead(value: unknown): value is Head {
  if (typeof value !== "object" || value === null) return false;
  const { root, folders, flags, versions, diagnostics, special } = value as Partial<
    Record<keyof Head, unknown>
  >;
  return (
    isText(root) &&
    isList(flags, (flag) => typeof flag === "number") &&
    isList(folders, isStoredFolder) &&
    isList(versions, (pair) => Array.isArray(pair) && isText(pair[1])) &&
    isList(diagnostics, (pair) => Array.isArray(pair) && Array.isArray(pair[1])) &&
    isList(special, (pair) => Array.isArray(pair) && isText(pair[1]))
  );
}

function isStoredFolder(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [path, stamp, skills, ...names]: unknown[] = value;
  if (!isText(path) || !isText(stamp) || names.length !== 2) return false;
  if (typeof skills !== "number") return false;
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
