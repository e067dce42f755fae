import { readIfPresent, writeAtomic } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { type AuditDisk, writeFully } from "./audit-disk.ts";
import { AuditError, orAuditError } from "./audit-error.ts";

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
 * Two slots of one size, written in turn: one is whole whatever happens to the other, and writing
 * needs no more room on the disk.
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
      // Says to people whose head this is.
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

/** The head in this file; undefined when there is none. Throws when it is damaged. */
export function readHead(path: string): Head | undefined {
  return readSlot(path);
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
