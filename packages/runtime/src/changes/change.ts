import { createHash } from "node:crypto";
import { type BigIntStats, fstatSync, readSync, writeFileSync } from "node:fs";

type EntryType = "file" | "folder" | "link" | "special";

/** What has a name in a folder. */
export interface Entry {
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
