import { APPEND_FLAGS, readIfPresent, syncFolder, writeAtomic } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { AuditError, orAuditError } from "./audit.ts";
import { MAX_LINE_BYTES } from "./record-line.ts";

/** The calls that fail when a disk does. Tests pass their own. */
export interface AuditDisk {
  /** Returns how many bytes were written, perhaps fewer than asked for. Without a position it appends. */
  write(descriptor: number, bytes: Uint8Array, position: number | null): number;
  sync(descriptor: number): void;
  truncate(descriptor: number, size: number): void;
}

export const realDisk: AuditDisk = {
  write: (descriptor, bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

/** Writes all bytes, or throws with some of them written. */
export function writeFully(
  disk: AuditDisk,
  descriptor: number,
  bytes: Uint8Array,
  position: number | null = null,
): void {
  let done = 0;
  while (done < bytes.length) {
    const at = position === null ? null : position + done;
    const written = disk.write(descriptor, bytes.subarray(done), at);
    if (written <= 0) throw new Error("nothing more could be written");
    done += written;
  }
}

export const NEWLINE = 0x0a;

/** Opens the file of a record to append to it, made if missing. */
export function openRecord(path: string): { readonly descriptor: number; readonly size: number } {
  const descriptor = openSync(path, APPEND_FLAGS, 0o600);
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.nlink === 1) return { descriptor, size: stats.size };
  closeSync(descriptor);
  const problem = stats.isFile() ? "has another name too" : "is not a regular file";
  throw new AuditError("audit-unwritable", `${path} ${problem}`);
}

/** How a file ends. */
export interface FileEnd {
  /** The last complete line, without its newline. */
  readonly line?: Buffer;
  /** What follows the last newline. */
  readonly torn: Buffer;
}

/** Reads no more from the end than two lines can have. */
export function readEnd(path: string, descriptor: number, size: number): FileEnd {
  const start = Math.max(0, size - 2 * (MAX_LINE_BYTES + 1));
  const bytes = Buffer.alloc(size - start);
  const count = readSync(descriptor, bytes, 0, bytes.length, start);
  const lineEnd = bytes.lastIndexOf(NEWLINE);
  const torn = bytes.subarray(lineEnd + 1);
  if (count < bytes.length || torn.length > MAX_LINE_BYTES) {
    throw new AuditError("audit-damaged", `${path} ends in something else than lines`);
  }
  const lines = bytes.subarray(0, Math.max(0, lineEnd));
  return lineEnd === -1 ? { torn } : { torn, line: lines.subarray(lines.lastIndexOf(NEWLINE) + 1) };
}

/** Throws when someone else changed, moved or replaced a file that had this size. */
export function checkUnchanged(path: string, descriptor: number, expectedSize: number): void {
  const { size, ino, dev } = fstatSync(descriptor);
  const named = orAuditError("audit-unreadable", `cannot look at ${path}`, () =>
    lstatSync(path, { throwIfNoEntry: false }),
  );
  if (size === expectedSize && named?.ino === ino && named.dev === dev) return;
  throw new AuditError("audit-damaged", `${path} was changed by someone else`, {
    hint: "Look at what `verifyAudit` finds.",
  });
}

/** How far a record goes. */
export interface Head {
  /** The id of the record, from which the hash before its first line is made. */
  readonly log: string;
  readonly sequence: number;
  /** Up to here the lines survive a power failure. */
  readonly synced: number;
  /** Of the line with this sequence. */
  readonly hash: string;
  /** How often it was written: the newer slot counts. */
  readonly version: number;
}

const SLOT_BYTES = 256;
/** Of both slots and the path of the record. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Makes the head of a new record. The note of its path is for people, and for the register. */
export function createHead(path: string, file: string, head: Head): void {
  const slot = encodeSlot(head);
  const note = Buffer.from(`${JSON.stringify({ file })}\n`);
  syncFolder(dirname(file));
  writeAtomic(path, Buffer.concat([slot, slot, note]), { flush: true });
}

/**
 * The two slots of a head are written in turn: when writing one fails, the other is intact, and writing
 * needs no more room on the disk.
 */
export function writeHead(disk: AuditDisk, descriptor: number, head: Head): void {
  writeFully(disk, descriptor, encodeSlot(head), (head.version % 2) * SLOT_BYTES);
}

/** The head in this file; undefined if absent. Throws when it is damaged. */
export function readHead(path: string): Head | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const slots = [0, SLOT_BYTES]
    .map((start) => decodeSlot(bytes.subarray(start, start + SLOT_BYTES)))
    .filter((slot) => slot !== undefined)
    .sort((a, b) => b.version - a.version);
  if (slots[0] === undefined) throw new AuditError("audit-damaged", `${path} is damaged`);
  return slots[0];
}

/** The path of the record that a head belongs to; undefined when it cannot be read. */
export function readHeadNote(path: string): string | undefined {
  try {
    const text = readBytes(path)?.toString("utf8", 2 * SLOT_BYTES) ?? "";
    const { file } = JSON.parse(text) as { file?: unknown };
    return typeof file === "string" ? file : undefined;
  } catch {
    return undefined;
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readIfPresent(path, { maxBytes: MAX_HEAD_BYTES });
  } catch (cause) {
    const hint = `Move ${path} away: the record it belongs to can then no longer be verified.`;
    const message = `cannot read ${path}: ${(cause as Error).message}`;
    throw new AuditError("audit-unreadable", message, { cause, hint });
  }
}

function encodeSlot({ version, log, sequence, synced, hash }: Head): Buffer {
  const text = JSON.stringify([1, version, sequence, synced, hash, log]);
  const line = `${checkOf(text)} ${text}`.padEnd(SLOT_BYTES - 1).concat("\n");
  if (line.length > SLOT_BYTES) throw new TypeError(`the id ${log} is too long`);
  return Buffer.from(line, "latin1");
}

function decodeSlot(bytes: Buffer): Head | undefined {
  const line = bytes.toString("latin1").trimEnd();
  const text = line.slice(9);
  if (bytes.length !== SLOT_BYTES || line.slice(0, 9) !== `${checkOf(text)} `) return undefined;
  type Fields = [number, number, number, number, string, string];
  const [, version, sequence, synced, hash, log] = JSON.parse(text) as Fields;
  return { version, sequence, synced, hash, log };
}

function checkOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
