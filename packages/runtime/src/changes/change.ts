import {
  errorCode,
  READ_FLAGS,
  readIfPresent,
  removeQuietly,
  writeAtomic,
} from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ChangedError, type OpenFolder } from "../workspace/confinement/open-folder.ts";

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

/** As people count changes: files, and folders where there is nothing else. */
export function countedChanges(changes: readonly Change[]): readonly Change[] {
  const files = changes.filter(({ before, after }) => (after ?? before)?.type !== "folder");
  return files.length > 0 ? files : changes;
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

const MANIFEST = "manifest.json";
const CONTENTS = "contents";
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const MAX_REFUSED_BYTES = 1024 * 1024;

/**
 * Changes that wait in a private folder: a manifest, and each content once, named by its digest. The
 * manifest is written last, so it never names what is missing.
 */
export class HeldChanges {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  read(): Manifest | undefined {
    const bytes = readIfPresent(join(this.folder, MANIFEST), { maxBytes: MAX_MANIFEST_BYTES });
    return bytes === undefined ? undefined : parseManifest(bytes.toString("utf8"));
  }

  /** Takes over what was collected from a view. Content that is refused for its size is left out. */
  async save(manifest: Manifest, merged: OpenFolder): Promise<void> {
    for (const change of manifest.changes) {
      const { path, after } = change;
      const digest = isStored(change) ? after?.digest : undefined;
      if (digest === undefined || this.has(digest)) continue;
      await merged.within(path.split("/"), async (parent, name) => {
        const stats = parent.stats(name);
        if (stats === undefined) throw new ChangedError(path);
        await parent.readable(name, stats, () => this.#take(parent.open(name), digest));
      });
    }
    this.write(manifest);
  }

  /** A manifest whose contents are here already. Contents that it does not name go. */
  write(manifest: Manifest): void {
    writeAtomic(join(this.folder, MANIFEST), manifestText(manifest), { flush: true });
    const needed = new Set(manifest.changes.map(({ after }) => after?.digest));
    const contents = join(this.folder, CONTENTS);
    for (const name of existsSync(contents) ? readdirSync(contents) : []) {
      if (!needed.has(name)) removeQuietly(this.contentPath(name));
    }
  }

  contentPath(digest: string): string {
    return join(this.folder, CONTENTS, digest);
  }

  has(digest: string): boolean {
    return existsSync(this.contentPath(digest));
  }

  discard(): void {
    removeQuietly(join(this.folder, MANIFEST));
    removeQuietly(join(this.folder, CONTENTS));
  }

  /** Takes over a text that a tool wrote; the digest names it. */
  add(bytes: Buffer): string {
    const digest = createHash("sha256").update(bytes).digest("hex");
    this.#makeContents();
    writeAtomic(this.contentPath(digest), bytes, { mode: 0o600 });
    return digest;
  }

  /** Moves a file in, on the same disk or from another one. */
  moveIn(file: string, digest: string): void {
    this.#makeContents();
    try {
      renameSync(file, this.contentPath(digest));
      chmodSync(this.contentPath(digest), 0o600);
    } catch {
      this.#take(openSync(file, READ_FLAGS), digest);
      unlinkSync(file);
    }
  }

  /** Copies an open file in, and closes it. */
  #take(from: number, digest: string): void {
    this.#makeContents();
    const temporary = this.contentPath(`${digest}.tmp`);
    removeQuietly(temporary);
    copyVerified(from, temporary, digest);
    renameSync(temporary, this.contentPath(digest));
  }

  #makeContents(): void {
    mkdirSync(join(this.folder, CONTENTS), { recursive: true, mode: 0o700 });
  }
}

/** Later scripts of the run see refused changes too, as far as they are small and no secret. */
function isStored({ refused, after }: Change): boolean {
  return refused === undefined || (after?.size ?? 0) <= MAX_REFUSED_BYTES;
}

/** Copies an open file to a new one and closes it. What has not this digest is not taken. */
export function copyVerified(
  from: number,
  target: string,
  digest: string,
  finish: (to: number) => void = () => {},
): void {
  try {
    const to = openSync(target, "wx", 0o600);
    try {
      if (digestOf(from, to) !== digest) throw new ChangedError("a file");
      finish(to);
    } catch (error) {
      removeQuietly(target);
      throw error;
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

/** Puts changes into a view that was just opened. Nothing may run in it yet. */
export async function restoreChanges(held: HeldChanges, view: OpenFolder): Promise<void> {
  const { changes } = held.read() ?? { changes: [] };
  const modes: [path: string, mode: number][] = [];
  const at = (path: string, work: (parent: OpenFolder, name: string) => void) =>
    quietly(view.within(path.split("/"), work));
  for (const { path, kind, before, after } of changes) {
    await at(path, (parent, name) => {
      const place = parent.child(name);
      if (kind === "deleted") {
        if (before?.type === "folder") rmdirSync(place);
        else unlinkSync(place);
      } else if (after?.type === "link") symlinkSync(after.target ?? "", place);
      else if (after?.type === "folder" && kind === "created") mkdirSync(place);
      else if (after?.type === "file" && kind !== "mode") {
        const { digest } = after;
        if (digest === undefined || !held.has(digest)) return;
        if (kind === "modified") unlinkSync(place);
        copyVerified(openSync(held.contentPath(digest), READ_FLAGS), place, digest);
      }
      if (after?.type === "file" || after?.type === "folder") modes.push([path, after.mode]);
    });
  }
  // A folder may forbid what is made in it.
  for (const [path, mode] of modes.toReversed()) {
    await at(path, (parent, name) => parent.setMode(name, mode));
  }
}

/** What the change was made to may be gone on the host by now, or something else. */
async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isExpected = error instanceof ChangedError || errorCode(error) !== undefined;
    if (!isExpected) throw error;
  }
}

/** A file that a script left for the user. */
export interface OutputFile {
  /** Where it is on this machine. */
  readonly path: string;
  readonly bytes: number;
}

const MAX_FILES = 1000;

/** The regular files below a folder, by name; only those that came or changed since, in milliseconds. */
export function outputFiles(folder: string, since = 0): readonly OutputFile[] {
  const found: OutputFile[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) folders.push(path);
      // A script can set other times, but not this one.
      else if (stats?.isFile() === true && stats.ctimeMs >= since) {
        found.push({ path, bytes: stats.size });
      }
      if (found.length >= MAX_FILES) return found;
    }
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
