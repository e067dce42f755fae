import { plural, quoteName } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { type BigIntStats, fstatSync, readSync, writeFileSync } from "node:fs";

type EntryType = "file" | "folder" | "link" | "special";

/** What has a name in a folder. */
interface Entry {
  readonly type: EntryType;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** SHA-256 of the content; absent where there is no file content, it cannot be read, or is very large. */
  readonly digest?: string;
  /** Of a link. */
  readonly target?: string;
}

/** An entry of the real working directory, with what tells whether it was touched since. */
export interface RealEntry extends Entry {
  readonly identity: string;
  /** How many names the file has. */
  readonly links: number;
}

/** What scripts did to one path, compared with the real working directory. */
export interface Change {
  /** With `/` on every platform, from the working directory. */
  readonly path: string;
  /** A file that becomes a folder is two changes: one deleted, one created. */
  readonly kind: "created" | "modified" | "mode" | "deleted";
  readonly before?: RealEntry;
  readonly after?: Entry;
  /** The real file was changed by someone else since the view was opened. */
  readonly conflict?: true;
  /** Why it is not kept; the other changes are. */
  readonly refused?: string;
}

/** In the order in which they can be carried out: deletions from the inside, then the rest. */
export interface Manifest {
  /** Real path of the working directory. */
  readonly root: string;
  readonly changes: readonly Change[];
}

export const PERMISSIONS = 0o777;

export function typeOf(stats: BigIntStats): EntryType {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "special";
}

export function entryOf(stats: BigIntStats, digest?: string): Entry {
  const type = typeOf(stats);
  const size = type === "file" ? Number(stats.size) : 0;
  return { type, size, mode: modeOf(stats), ...(digest !== undefined && { digest }) };
}

export function realEntryOf(stats: BigIntStats, digest?: string): RealEntry {
  return { ...entryOf(stats, digest), identity: identityOf(stats), links: Number(stats.nlink) };
}

export function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & PERMISSIONS;
}

/** Changes whenever the file is written, replaced, renamed over, or gets another mode. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** The folders on the way to a path, from the outermost one. */
export function parentsOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join("/"));
}

const CHUNK_BYTES = 1024 * 1024;

/** SHA-256 of an open file, and of what is written to another one with it. */
export function digestOf(from: number, to?: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, fstatSync(from).size + 1));
  for (let count = -1, at = 0; count !== 0; at += count) {
    count = readSync(from, buffer, 0, buffer.length, at);
    const bytes = buffer.subarray(0, count);
    hash.update(bytes);
    if (to !== undefined) writeFileSync(to, bytes);
  }
  return hash.digest("hex");
}

const VERSION = 1;
const KINDS: ReadonlySet<unknown> = new Set(["created", "modified", "mode", "deleted"]);
const TYPES: ReadonlySet<unknown> = new Set(["file", "folder", "link", "special"]);

export function manifestText({ root, changes }: Manifest): string {
  return JSON.stringify({ version: VERSION, root, changes });
}

/** Undefined for anything that this version did not write. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const { version, root, changes } = JSON.parse(text) as Record<string, unknown>;
    const isManifest = version === VERSION && typeof root === "string" && Array.isArray(changes);
    return isManifest && changes.every(isChange) ? { root, changes } : undefined;
  } catch {
    return undefined;
  }
}

function isChange(value: unknown): value is Change {
  const { path, kind, before, after } = (value ?? {}) as Record<string, unknown>;
  const isPath = typeof path === "string" && path.split("/").every(isSegment);
  const entries = [before, after].filter((entry) => entry !== undefined);
  return isPath && KINDS.has(kind) && entries.length > 0 && entries.every(isEntry);
}

function isSegment(segment: string): boolean {
  return segment !== "" && segment !== "." && segment !== ".." && !segment.includes("\0");
}

function isEntry(value: unknown): boolean {
  const { type, size, mode, digest = "0".repeat(64) } = (value ?? {}) as Record<string, unknown>;
  const isDigest = typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest);
  return TYPES.has(type) && typeof size === "number" && typeof mode === "number" && isDigest;
}

/** Changes with a common fate, under a title. */
interface ChangeList {
  readonly title: string;
  readonly changes: readonly Change[];
}

/** How many changes are named one by one, and how many lines there are when they are not. */
const MAX_LINES = 8;
const MAX_FULL_NAME = 200;
const MAX_NAME = 80;

/** What a model reads about changes: file by file while they are few, then by folder. */
export function changesText(lists: readonly ChangeList[]): readonly string[] {
  const shown = lists.filter(({ changes }) => changes.length > 0);
  const count = shown.reduce((sum, { changes }) => sum + changes.length, 0);
  const maxLines =
    count <= MAX_LINES ? MAX_LINES : Math.max(2, Math.floor(MAX_LINES / shown.length));
  return shown.map(({ title, changes }) => bulleted(title, changeGroups(changes, maxLines)));
}

/** A title and a list, cut after some lines. Empty without lines. */
export function bulleted(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const left = lines.length - MAX_LINES;
  const shown = left > 0 ? [...lines.slice(0, MAX_LINES), `and ${left} more`] : lines;
  return [title, ...shown.map((line) => `- ${line}`)].join("\n");
}

/** One change, for models and people. */
export function changeLine(
  { path, kind, before, after }: Change,
  maxName: number = MAX_FULL_NAME,
): string {
  const name = quoteName(path, maxName);
  const size = after?.type === "file" ? `, ${sizeText(after.size)}` : "";
  if (kind === "mode") return `${name} has the mode ${after?.mode.toString(8)}`;
  const folder = (after ?? before)?.type === "folder" ? "folder " : "";
  return `${folder}${name} ${kind}${kind === "deleted" ? "" : size}`;
}

interface Group {
  /** Of a file, or of a folder that all changes of the group lie in or are. */
  readonly path: string;
  readonly changes: readonly Change[];
}

/** A folder that was itself made or deleted is one line; others are opened while there is room. */
export function changeGroups(changes: readonly Change[], maxLines: number): readonly string[] {
  if (changes.length <= maxLines) return changes.map((change) => changeLine(change, MAX_NAME));
  let groups = groupsIn({ path: "", changes });
  const hasRoom = (group: Group) =>
    !group.changes.some(({ path }) => path === group.path) &&
    groups.length - 1 + groupsIn(group).length <= maxLines;
  for (let open = groups.find(hasRoom); open !== undefined; open = groups.find(hasRoom)) {
    const opened = open;
    groups = groups.flatMap((group) => (group === opened ? groupsIn(group) : [group]));
  }
  if (groups.length <= maxLines) return groups.map(groupLine);
  const rest = groups.slice(maxLines - 1).flatMap((group) => group.changes);
  return [
    ...groups.slice(0, maxLines - 1).map(groupLine),
    `and ${plural(countedOf(rest).length, "more file")}`,
  ];
}

function groupsIn({ path, changes }: Group): readonly Group[] {
  const start = path === "" ? 0 : path.length + 1;
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const end = change.path.indexOf("/", start);
    const key = end === -1 ? change.path : change.path.slice(0, end);
    const group = groups.get(key) ?? [];
    group.push(change);
    groups.set(key, group);
  }
  return [...groups].map(([key, inside]) => ({ path: key, changes: inside }));
}

function groupLine({ path, changes }: Group): string {
  const [first, ...others] = changes;
  if (first !== undefined && others.length === 0) return changeLine(first, MAX_NAME);
  const name = quoteName(`${path}/`, MAX_NAME);
  const counted = countedOf(changes);
  const kinds = new Map<string, number>();
  for (const { kind } of counted) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const [[kind = ""] = [], ...otherKinds] = kinds;
  if (otherKinds.length === 0) return `${name} (${countText(changes)}) ${KIND_TEXTS[kind]}`;
  const parts = [...kinds].map(([each, count]) => `${count} ${KIND_TEXTS[each]}`);
  return `${name} (${countText(changes)}): ${parts.join(", ")}`;
}

const KIND_TEXTS: Readonly<Record<string, string>> = {
  created: "created",
  modified: "modified",
  mode: "with another mode",
  deleted: "deleted",
};

/** Files count; folders where there is nothing else. */
function countedOf(changes: readonly Change[]): readonly Change[] {
  const files = changes.filter(({ before, after }) => (after ?? before)?.type !== "folder");
  return files.length > 0 ? files : changes;
}

function countText(changes: readonly Change[]): string {
  const counted = countedOf(changes);
  const isFolder = (counted[0]?.after ?? counted[0]?.before)?.type === "folder";
  const bytes = counted.reduce((sum, { after }) => sum + (after?.size ?? 0), 0);
  const count = plural(counted.length, isFolder ? "folder" : "file");
  return bytes === 0 ? count : `${count}, ${sizeText(bytes)}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KB` : `${(kib / 1024).toFixed(1)} MB`;
}
