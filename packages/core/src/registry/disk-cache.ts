import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import type { Diagnostic, Mutable, Severity } from "../format/diagnostic.ts";
import type { SkillMetadata } from "../format/draft.ts";
import { readRegularFile, writeAtomic, zlib } from "../internal/files.ts";
import { isObject } from "../internal/json.ts";
import { prefixOf } from "../sources/list-folder.ts";
import type {
  FolderIndex,
  IndexedFolder,
  IndexedSkill,
  ScanCache,
} from "../sources/skill-source.ts";

/** A diagnostic without the names of its fields, and without a file when that is the skill's own. */
type StoredDiagnostic = [
  code: string,
  severity: Severity,
  message: string,
  lines: [line: number, column: number, endLine: number, endColumn: number],
  more?: Pick<Diagnostic, "hint" | "effect" | "fix"> & { readonly file?: string },
];

function encodeDiagnostic(diagnostic: Diagnostic, ownFile: string): StoredDiagnostic {
  const { code, severity, message, line, column, endLine, endColumn, file, ...rest } = diagnostic;
  const more = file === ownFile ? rest : { ...rest, file };
  const lines: StoredDiagnostic[3] = [line, column, endLine, endColumn];
  if (Object.keys(more).length === 0) return [code, severity, message, lines];
  return [code, severity, message, lines, more];
}

function decodeDiagnostic(stored: StoredDiagnostic, ownFile: string): Diagnostic {
  const [code, severity, message, lines, more] = stored;
  const [line, column, endLine, endColumn] = lines;
  const file = more?.file ?? ownFile;
  const own = { code, severity, message, file, line, column, endLine, endColumn };
  const diagnostic: Mutable<Diagnostic> = own;
  if (more?.hint !== undefined) diagnostic.hint = more.hint;
  if (more?.effect !== undefined) diagnostic.effect = more.effect;
  if (more?.fix !== undefined) diagnostic.fix = more.fix;
  return diagnostic;
}

/** Changes whenever what is stored changes its shape or the parser its results. */
const FORMAT = "skillwright-index-7";

type Names = readonly string[];
type StoredFolder = [path: string, stamp: string, skills: number, folders: Names, links: Names];

/** The first line, in JSON. Of each skill three lines follow, which take no time to read: folder, stamp, description. */
interface Head {
  readonly key: string;
  readonly source: string;
  readonly root: string;
  readonly filtered: boolean;
  readonly folders: StoredFolder[];
  /** A character for each skill, folder by folder. */
  flags: string;
  /** Where it is not the folder's. */
  readonly names: Sparse<string>;
  readonly versions: Sparse<string>;
  readonly metadata: Sparse<NonNullable<SkillMetadata["metadata"]>>;
  readonly tools: Sparse<NonNullable<SkillMetadata["allowedTools"]>>;
  readonly diagnostics: Sparse<StoredDiagnostic[]>;
  /** What a line cannot hold, by its number. */
  readonly special: [line: number, text: string][];
}

/** What only some skills have: their numbers, which rise, and in the same order what they have. */
interface Sparse<T> {
  readonly of: number[];
  readonly values: T[];
}

const LINES = 3;
const ONE_LINE = /^[ -~]*$/;

/** A character of flags is this one, and so many further. */
const NO_FLAGS = 0x40;
const RACY = 1;
const USABLE = 2;
const MODEL_DISABLED = 4;
const USER_INVOCABLE = 8;
const SUBAGENT = 16;
const HIDDEN = 32;

/** An index in a form that is read fast: ASCII, with a checksum before it. */
export function encodeIndex(key: string, index: FolderIndex): Buffer {
  const { source, root, folders, filtered = false } = index;
  const head: Head = {
    key,
    source,
    root,
    filtered,
    folders: Array.from(folders, encodeFolder),
    flags: "",
    names: { of: [], values: [] },
    versions: { of: [], values: [] },
    metadata: { of: [], values: [] },
    tools: { of: [], values: [] },
    diagnostics: { of: [], values: [] },
    special: [],
  };
  const lines = [""];
  for (const [path, { skills }] of folders) {
    for (const skill of skills) addSkill(path, skill, head, lines);
  }
  lines[0] = JSON.stringify(head).replace(/[^\0-\x7f]/g, escapeUnit);
  const bytes = Buffer.from(lines.join("\n"), "latin1");
  return Buffer.concat([Buffer.from(`${FORMAT} ${checksum(bytes)}\n`, "latin1"), bytes]);
}

/** Undefined for everything that `encodeIndex` did not make under this key. */
export function decodeIndex(key: string, bytes: Buffer): FolderIndex | undefined {
  const payload = bytes.subarray(bytes.indexOf(10) + 1);
  const header = bytes.toString("latin1", 0, bytes.length - payload.length);
  if (header !== `${FORMAT} ${checksum(payload)}\n`) return undefined;
  // Pieces of one long text, which nobody copies.
  const lines = payload.toString("latin1").split("\n");
  const head: unknown = JSON.parse(lines[0] ?? "");
  if (!isHead(head) || head.key !== key) return undefined;
  if (lines.length !== 1 + head.flags.length * LINES) return undefined;
  for (const [line, text] of head.special) lines[line] = text;
  const folders = decodeFolders(head, lines);
  if (folders === undefined) return undefined;
  const { source, root } = head;
  return head.filtered ? { source, root, folders, filtered: true } : { source, root, folders };
}

function encodeFolder([path, folder]: [string, IndexedFolder]): StoredFolder {
  const { stamp, skills, folders, links = [] } = folder;
  return [path, stamp, skills.length, folders, links];
}

function decodeFolders(head: Head, lines: Names): Map<string, IndexedFolder> | undefined {
  const folders = new Map<string, IndexedFolder>();
  const decode = skillDecoder(head, lines);
  let number = 0;
  for (const [path, stamp, count, below, links] of head.folders) {
    const prefix = prefixOf(path);
    const skills: IndexedSkill[] = [];
    for (const end = number + count; number < end; number++) {
      const skill = decode(number, prefix);
      if (skill === undefined) return undefined;
      skills.push(skill);
    }
    const more = links.length === 0 ? undefined : { links };
    folders.set(path, { stamp, skills, folders: below, ...more });
  }
  return folders;
}

function addSkill(path: string, skill: IndexedSkill, head: Head, lines: string[]): void {
  const { relativePath, stamp, racy = false, metadata, diagnostics } = skill;
  const folder = relativePath.slice(prefixOf(path).length);
  const number = head.flags.length;
  const flags = (racy ? RACY : 0) | (metadata ? flagsOf(metadata) : 0);
  head.flags += String.fromCharCode(NO_FLAGS + flags);
  for (const text of [folder, stamp, metadata?.description ?? ""]) {
    if (ONE_LINE.test(text)) lines.push(text);
    else head.special.push([lines.push("") - 1, text]);
  }
  const { name = folder, version, metadata: pairs, allowedTools } = metadata ?? {};
  if (name !== folder) addSparse(head.names, number, name);
  if (version !== undefined) addSparse(head.versions, number, version);
  if (pairs !== undefined) addSparse(head.metadata, number, pairs);
  if (allowedTools !== undefined) addSparse(head.tools, number, allowedTools);
  if (diagnostics.length === 0) return;
  const stored = diagnostics.map((one) => encodeDiagnostic(one, fileIn(skill.directory)));
  addSparse(head.diagnostics, number, stored);
}

function addSparse<T>({ of, values }: Sparse<T>, number: number, value: T): void {
  of.push(number);
  values.push(value);
}

/** To be asked for one number after the other. */
function sparseReader<T>({ of, values }: Sparse<T>) {
  let next = 0;
  return (number: number): T | undefined => (of[next] === number ? values[next++] : undefined);
}

function fileIn(directory: string): string {
  return `${directory}/SKILL.md`;
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

const NONE: readonly Diagnostic[] = [];

/** Gives the skill of a number, or nothing when its folder's name is none. */
function skillDecoder({ source, root, flags, ...head }: Head, lines: Names) {
  const nameOf = sparseReader(head.names);
  const versionOf = sparseReader(head.versions);
  const metadataOf = sparseReader(head.metadata);
  const toolsOf = sparseReader(head.tools);
  const diagnosticsOf = sparseReader(head.diagnostics);
  const rootPrefix = `${root}/`;
  return (number: number, prefix: string): IndexedSkill | undefined => {
    const line = 1 + number * LINES;
    const bits = flags.charCodeAt(number) - NO_FLAGS;
    const folder = lines[line] ?? "";
    if (!isName(folder)) return undefined;
    const relativePath = prefix + folder;
    const directory = rootPrefix + relativePath;
    const stamp = lines[line + 1] ?? "";
    const stored = diagnosticsOf(number);
    const diagnostics = stored?.map((one) => decodeDiagnostic(one, fileIn(directory))) ?? NONE;
    const name = nameOf(number) ?? folder;
    const version = versionOf(number);
    const pairs = metadataOf(number);
    const allowedTools = toolsOf(number);
    const skill: Mutable<IndexedSkill> = {
      source,
      root,
      relativePath,
      directory,
      diagnostics,
      stamp,
    };
    if ((bits & USABLE) !== 0) {
      const metadata = decodeMetadata(name, lines[line + 2] ?? "", bits);
      if (version !== undefined) metadata.version = version;
      if (pairs !== undefined) metadata.metadata = pairs;
      if (allowedTools !== undefined) metadata.allowedTools = allowedTools;
      skill.metadata = metadata;
    }
    if ((bits & RACY) !== 0) skill.racy = true;
    return skill;
  };
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
  const { key, source, root, folders, flags, names, versions, metadata, tools, ...rest } =
    value as Partial<Record<keyof Head, unknown>>;
  return (
    [key, source, root].every(isText) &&
    isText(flags) &&
    isList(folders, isStoredFolder) &&
    isSparse(names, isText) &&
    isSparse(versions, isText) &&
    isSparse(metadata, isObject) &&
    isSparse(tools, Array.isArray) &&
    isSparse(rest.diagnostics, Array.isArray) &&
    isList(rest.special, (pair) => Array.isArray(pair) && isText(pair[1]))
  );
}

function isStoredFolder(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [path, stamp, skills, ...names]: unknown[] = value;
  if (!isText(path) || !isText(stamp) || names.length !== 2) return false;
  if (typeof skills !== "number") return false;
  return names.every((list) => isList(list, isName));
}

function isSparse(value: unknown, isItem: (item: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { of, values } = value as Partial<Record<keyof Sparse<unknown>, unknown>>;
  return Array.isArray(of) && isList(values, isItem) && of.length === values.length;
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
  return zlib().crc32(bytes).toString(16).padStart(8, "0");
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `$XDG_CACHE_HOME/skillwright`, or the like. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CACHE_HOME"] ?? "";
  // A relative one would lead into whatever project is open.
  const folder = isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".cache");
  return join(folder, "skillwright");
}

const CACHE = { maxBytes: 512 * 1024 * 1024, follow: true };

/**
 * Keeps what was found below each root in one file per root. A file that is missing, damaged, of
 * another version or not writable only costs time.
 */
export function diskCache(directory: string): ScanCache {
  const fileOf = (key: string) => {
    const [root = ""] = key.split("\n", 1);
    return join(
      directory,
      `${basename(root).slice(0, 100)}-${zlib().crc32(key).toString(16)}.index`,
    );
  };
  return {
    read(key) {
      try {
        return Promise.resolve(decodeIndex(key, readRegularFile(fileOf(key), CACHE)));
      } catch {
        return Promise.resolve(undefined);
      }
    },
    write(key, index) {
      try {
        writeAtomic(fileOf(key), encodeIndex(key, index));
      } catch {
        // Without a cache the next scan reads the files again.
      }
      return Promise.resolve();
    },
  };
}

/** Remembers within the registry, in front of a slower cache. */
export function memoryCache(behind?: ScanCache): ScanCache {
  const indexes = new Map<string, FolderIndex>();
  return {
    async read(key) {
      const index = indexes.get(key) ?? (await behind?.read(key));
      if (index !== undefined) indexes.set(key, index);
      return index;
    },
    async write(key, index) {
      indexes.set(key, index);
      await behind?.write(key, index);
    },
  };
}
