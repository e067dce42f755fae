import { APPEND_FLAGS, makeFolder, syncFolder } from "@skillwright/core/internal";
import { closeSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { type AuditDisk, writeFully } from "./audit-disk.ts";
import { AuditError, orAuditError } from "./audit-error.ts";
import { MAX_LINE_BYTES } from "./record-line.ts";

/** How a file ends. */
export interface FileEnd {
  /** The last line that is whole, without its newline. */
  readonly line?: Buffer;
  /** What follows the last newline. */
  readonly torn: Buffer;
}

const NEWLINE = 0x0a;

/** The file of a record while this process writes it. It only ever grows by whole lines. */
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
      // The first failure is the one to tell.
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
