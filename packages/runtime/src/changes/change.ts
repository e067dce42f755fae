import type { BigIntStats } from "node:fs";

export type EntryType = "file" | "folder" | "link" | "special";

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

/** Changes whenever the file is written, replaced, renamed over, or gets another mode. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** Without the time that a new name of the file changes too. */
export function contentIdentity(identity: string): string {
  return identity.split(":").slice(0, 4).join(":");
}

const KINDS: ReadonlySet<unknown> = new Set(["created", "modified", "mode", "deleted"]);
const TYPES: ReadonlySet<unknown> = new Set(["file", "folder", "link", "special"]);

/** Undefined for anything that this version did not write. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const { version, root, changes } = JSON.parse(text) as Record<string, unknown>;
    const isManifest = version === VERSION && typeof root === "string" && Array.isArray(changes);
    if (!isManifest || !changes.every(isChange)) return undefined;
    return { root, changes };
  } catch {
    return undefined;
  }
}

const VERSION = 1;

export function manifestText({ root, changes }: Manifest): string {
  return JSON.stringify({ version: VERSION, root, changes });
}

function isChange(value: unknown): value is Change {
  const { path, kind, before, after } = (value ?? {}) as Record<string, unknown>;
  const isPath = typeof path === "string" && path.split("/").every(isSegment);
  const hasBoth = isEntry(before) || isEntry(after);
  return isPath && KINDS.has(kind) && hasBoth && [before, after].every(isEntryOrNone);
}

function isSegment(segment: string): boolean {
  return segment !== "" && segment !== "." && segment !== ".." && !segment.includes("\0");
}

function isEntryOrNone(value: unknown): boolean {
  return value === undefined || isEntry(value);
}

function isEntry(value: unknown): boolean {
  const { type, size, mode, digest } = (value ?? {}) as Record<string, unknown>;
  const isDigest =
    digest === undefined || (typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest));
  return TYPES.has(type) && typeof size === "number" && typeof mode === "number" && isDigest;
}
