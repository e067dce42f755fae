import {
  APPEND_FLAGS,
  makeFolder,
  readIfPresent,
  syncFolder,
  writeAtomic,
} from "@skillwright/core/internal";
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

/** Writes all bytes or throws. */
function writeFully(
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

/** How a file ends. */
export interface FileEnd {
  /** The last complete line, without its newline. */
  readonly line?: Buffer;
  /** What follows the last newline. */
  readonly torn: Buffer;
}

const NEWLINE = 0x0a;

/** The file of a record while this process writes it. It grows by complete lines only. */
export class RecordFile {
  readonly path: string;
  readonly #disk: AuditDisk;
  readonly #descriptor: number;
  #size: number;

  constructor(path: string, disk: AuditDisk) {
    this.path = path;
    this.#disk = disk;
    this.#descriptor = orAuditError("audit-unwritable", `cannot write ${path}`, () => {
      makeFolder(dirname(path));
      return openSync(path, APPEND_FLAGS, 0o600);
    });
    try {
      this.#size = this.#checkedSize();
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  #checkedSize(): number {
    const { path } = this;
    const stats = fstatSync(this.#descriptor);
    if (!stats.isFile() || stats.nlink !== 1) {
      const problem = stats.isFile() ? "has another name too" : "is not a regular file";
      throw new AuditError("audit-unwritable", `${path} ${problem}`);
    }
    if (stats.size === 0) {
      orAuditError("audit-unwritable", `cannot write ${path}`, () => syncFolder(dirname(path)));
    }
    return stats.size;
  }

  /** Reads no more from the end than two lines can have. */
  readEnd(): FileEnd {
    const start = Math.max(0, this.#size - 2 * (MAX_LINE_BYTES + 1));
    const bytes = Buffer.alloc(this.#size - start);
    readFully(this.#descriptor, bytes, start);
    const lineEnd = bytes.lastIndexOf(NEWLINE);
    const torn = bytes.subarray(lineEnd + 1);
    if (torn.length > MAX_LINE_BYTES) {
      throw new AuditError("audit-damaged", `${this.path} ends in something else than lines`);
    }
    if (lineEnd === -1) return { torn };
    const lineStart = lineEnd === 0 ? 0 : bytes.lastIndexOf(NEWLINE, lineEnd - 1) + 1;
    return { torn, line: bytes.subarray(lineStart, lineEnd) };
  }

  cut(bytes: number): void {
    orAuditError("audit-unwritable", `cannot cut ${this.path}`, () => this.#truncate(bytes));
  }

  /** Throws when someone else changed, moved or replaced the file since the last call. */
  check(): void {
    const { size, ino, dev } = fstatSync(this.#descriptor);
    const named = orAuditError("audit-unreadable", `cannot look at ${this.path}`, () => {
      return lstatSync(this.path, { throwIfNoEntry: false });
    });
    if (size === this.#size && named?.ino === ino && named.dev === dev) return;
    throw new AuditError("audit-damaged", `${this.path} was changed by someone else`, {
      hint: "Look at what `verifyAudit` finds.",
    });
  }

  /** Appends the line or throws; then the file is as before, or has lost its use. */
  append(line: Buffer): void {
    try {
      writeFully(this.#disk, this.#descriptor, line);
      this.#size += line.length;
    } catch (error) {
      this.#removeRest();
      throw error;
    }
  }

  /** Takes back a line that was just appended. */
  takeBack(line: Buffer): void {
    this.#truncate(line.length);
  }

  sync(): void {
    this.#disk.sync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Where even this fails, `check` finds the rest, and the next opening cuts it off. */
  #removeRest(): void {
    try {
      this.#truncate(0);
    } catch {
      // The first failure is the one to report.
    }
  }

  #truncate(bytes: number): void {
    this.#disk.truncate(this.#descriptor, this.#size - bytes);
    this.#size -= bytes;
  }
}

function readFully(descriptor: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new AuditError("audit-damaged", "the record is being cut");
    done += read;
  }
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
}

interface Slot extends Head {
  readonly version: number;
}

const SLOT_BYTES = 256;
const MAX_ID_LENGTH = 40;
/** Both slots, and the path of the record. */
const MAX_BYTES = 64 * 1024;

/**
 * Two slots of the same size, written in turn: when writing one fails, the other is intact, and
 * writing needs no more room on the disk.
 */
export class HeadFile {
  readonly #disk: AuditDisk;
  readonly #descriptor: number;
  #slot: Slot;

  private constructor(disk: AuditDisk, descriptor: number, slot: Slot) {
    this.#disk = disk;
    this.#descriptor = descriptor;
    this.#slot = slot;
  }

  static open(path: string, disk: AuditDisk): HeadFile | undefined {
    const slot = readSlot(path);
    if (slot === undefined) return undefined;
    const descriptor = orAuditError("audit-unwritable", `cannot write ${path}`, () =>
      openSync(path, "r+"),
    );
    return new HeadFile(disk, descriptor, slot);
  }

  static create(path: string, file: string, head: Head, disk: AuditDisk): HeadFile {
    orAuditError("audit-unwritable", `cannot make ${path}`, () => {
      if (head.log.length > MAX_ID_LENGTH) throw new TypeError(`the id ${head.log} is too long`);
      const slot = encodeSlot({ ...head, version: 0 });
      // For people, and for rebuilding the register.
      const note = `${JSON.stringify({ file })}\n`;
      writeAtomic(path, Buffer.concat([slot, slot, Buffer.from(note)]), { flush: true });
    });
    const made = HeadFile.open(path, disk);
    if (made === undefined) throw new AuditError("audit-unwritable", `${path} vanished`);
    return made;
  }

  get head(): Head {
    return this.#slot;
  }

  write(change: Partial<Head>): void {
    const version = this.#slot.version + 1;
    const slot = { ...this.#slot, ...change, version };
    writeFully(this.#disk, this.#descriptor, encodeSlot(slot), (version % 2) * SLOT_BYTES);
    this.#slot = slot;
  }

  sync(): void {
    this.#disk.sync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The head in this file; undefined if absent. Throws when it is damaged. */
export function readHead(path: string): Head | undefined {
  return readSlot(path);
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

function readSlot(path: string): Slot | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const slots = [0, SLOT_BYTES]
    .map((start) => decodeSlot(bytes.subarray(start, start + SLOT_BYTES)))
    .filter((slot) => slot !== undefined)
    .sort((a, b) => b.version - a.version);
  if (slots[0] === undefined) throw new AuditError("audit-damaged", `${path} is damaged`);
  return slots[0];
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readIfPresent(path, { maxBytes: MAX_BYTES });
  } catch (cause) {
    const hint = `Move ${path} away: the record it belongs to can then no longer be verified.`;
    const message = `cannot read ${path}: ${(cause as Error).message}`;
    throw new AuditError("audit-unreadable", message, { cause, hint });
  }
}

function encodeSlot(slot: Slot): Buffer {
  const { version, log, sequence, synced, hash } = slot;
  const text = JSON.stringify([1, version, sequence, synced, hash, log]);
  return Buffer.from(`${checkOf(text)} ${text}`.padEnd(SLOT_BYTES - 1).concat("\n"), "latin1");
}

function decodeSlot(bytes: Buffer): Slot | undefined {
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
