import { createHash, type KeyObject, randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { openKeyFile } from "../key-file.ts";
import {
  type AuditDisk,
  AuditError,
  type AuditEvent,
  type AuditPlace,
  type AuditRecord,
  checkUnchanged,
  createHead,
  decodeLine,
  encodeRecord,
  type FileEnd,
  firstHash,
  type Head,
  openRecord,
  readEnd,
  readHead,
  realDisk,
  writeFully,
  writeHead,
} from "./audit.ts";
import type { Redactor } from "./redaction/redactor.ts";

export interface RecordWriterOptions {
  readonly redactor: Pick<Redactor, "redact">;
  /** Milliseconds since 1970. It may jump; the order of lines is their sequence. */
  readonly clock?: () => number;
  /**
   * When lines are made to survive a power failure. Default: at boundaries, such as `script-start`.
   * With "never", lines that are missing at the next opening are recorded as lost, not refused.
   */
  readonly sync?: "boundary" | "never";
  /** Makes the id of a new record. */
  readonly ids?: () => string;
  /** For tests: a disk that fails. */
  readonly disk?: AuditDisk;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;
const MAX_NAME_LENGTH = 64;
const BOUNDARY = /^(?:approval-.*|audit-recovered|run-end|script-start)$/;

/** Appends to a file and its head, which agree whatever step fails. The lock of the record is held. */
export class RecordWriter {
  readonly #path: string;
  readonly #options: RecordWriterOptions;
  readonly #disk: AuditDisk;
  readonly #file: number;
  readonly #headFile: number;
  readonly #key: KeyObject;
  #size: number;
  /** Its end is where the file really ends. */
  #head: Head;
  /** Why nothing more can be written. */
  #ended: string | undefined;
  #isClosed = false;

  /** Opens the record, or makes it. A line that a crash left half-written is cut off. */
  constructor(place: AuditPlace, options: RecordWriterOptions) {
    this.#path = place.file;
    this.#options = options;
    this.#disk = options.disk ?? realDisk;
    ({ descriptor: this.#file, size: this.#size } = openRecord(place.file));
    let headFile: number | undefined;
    try {
      this.#key = openKeyFile(place.key);
      const end = readEnd(place.file, this.#file, this.#size);
      const head = readHead(place.head) ?? newHead(place, end, this.#key, options);
      this.#head = { ...head, ...checkedEnd(place.file, end, head, this.#key) };
      headFile = openSync(place.head, "r+");
      this.#headFile = headFile;
      this.#recover(end.torn, Math.max(0, head.sequence - this.sequence));
    } catch (error) {
      closeSync(this.#file);
      if (headFile !== undefined) closeSync(headFile);
      throw error;
    }
  }

  #recover(torn: Buffer, lostRecords: number): void {
    if (torn.length === 0 && lostRecords === 0) return;
    const cutSha256 = createHash("sha256").update(torn).digest("hex");
    this.#cutTo(this.#size - torn.length);
    const data = { lostRecords, cutBytes: torn.length, cutSha256 };
    this.appendAll([{ event: "audit-recovered", data }]);
  }

  /** Of the last record. */
  get sequence(): number {
    return this.#head.sequence;
  }

  /** All of them in one write, or none. */
  appendAll(events: readonly AuditEvent[]): AuditRecord[] {
    this.#mustBeOpen();
    for (const { event } of events) {
      if (!NAME.test(event) || event.length > MAX_NAME_LENGTH) {
        throw new TypeError(`"${event}" is not a noun and a verb in kebab case`);
      }
    }
    // First, since a getter of the data may itself append.
    const redacted = events.map(({ data }) => this.#options.redactor.redact(data));
    let { sequence, hash } = this.#head;
    const written = events.map(({ event }, index) => {
      const time = new Date(this.#options.clock?.() ?? Date.now()).toISOString();
      const about = { schemaVersion: 1 as const, sequence: ++sequence, time, event };
      const fields = { ...about, data: redacted[index] ?? null, previous: hash };
      const encoded = encodeRecord(fields, this.#key);
      ({ hash } = encoded.record);
      return encoded;
    });
    if (written.length > 0) {
      this.#checkFile();
      const isSynced =
        this.#options.sync !== "never" && events.some(({ event }) => BOUNDARY.test(event));
      const lines = Buffer.concat(written.map(({ line }) => line));
      this.#write(lines, { sequence, hash }, isSynced);
    }
    return written.map(({ record }) => record);
  }

  sync(): void {
    this.#mustBeOpen();
    const { synced, sequence } = this.#head;
    if (synced < sequence) this.#syncAll();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#ended === undefined && this.#options.sync !== "never") this.#syncAll();
    } finally {
      this.#ended ??= "it was closed";
      closeSync(this.#file);
      closeSync(this.#headFile);
    }
  }

  /** The lines, then the head: a file that goes further than its head is sound, not the reverse. */
  #write(lines: Buffer, end: Pick<Head, "sequence" | "hash">, isSynced: boolean): void {
    const size = this.#size;
    let isSyncing = false;
    try {
      writeFully(this.#disk, this.#file, lines);
      this.#size += lines.length;
      isSyncing = isSynced;
      if (isSynced) this.#disk.sync(this.#file);
      isSyncing = false;
      this.#writeHead({ ...end, ...(isSynced && { synced: end.sequence }) });
    } catch (error) {
      // After a failed sync the content of the disk is unknown: the record has to be opened again.
      let canGoOn = !isSyncing;
      try {
        this.#cutTo(size);
        this.#checkFile();
      } catch {
        canGoOn = false;
      }
      throw this.#failed(error, canGoOn);
    }
  }

  #syncAll(): void {
    try {
      this.#disk.sync(this.#file);
      this.#writeHead({ synced: this.sequence });
      this.#disk.sync(this.#headFile);
    } catch (error) {
      throw this.#failed(error, false);
    }
  }

  #writeHead(change: Partial<Head>): void {
    const head = { ...this.#head, ...change, version: this.#head.version + 1 };
    writeHead(this.#disk, this.#headFile, head);
    this.#head = head;
  }

  #cutTo(size: number): void {
    this.#disk.truncate(this.#file, size);
    this.#size = size;
  }

  #checkFile(): void {
    checkUnchanged(this.#path, this.#file, this.#size);
  }

  #failed(cause: unknown, canGoOn: boolean): AuditError {
    const reason = (cause as Error).message;
    if (!canGoOn) this.#ended = reason;
    return new AuditError("audit-unwritable", `${this.#path}: ${reason}`, {
      cause,
      hint: "Make room on the disk, or let it be written; nothing was done.",
    });
  }

  #mustBeOpen(): void {
    if (this.#ended === undefined) return;
    throw new AuditError("audit-closed", `nothing more can be recorded: ${this.#ended}`);
  }
}

function newHead(
  { file, head }: AuditPlace,
  end: FileEnd,
  key: KeyObject,
  { ids = randomUUID }: RecordWriterOptions,
): Head {
  const log = ids();
  if (end.line !== undefined || end.torn.length > 0) {
    throw damaged(file, "nothing is known of it in the user's state");
  }
  const first = { log, sequence: 0, synced: 0, hash: firstHash(log, key), version: 0 };
  createHead(head, file, first);
  return first;
}

/**
 * Where to go on. The file may go further than its head says, since a line is written before the head.
 * It may lack lines that were not synced: they are gone after a power failure. Everything else throws.
 */
function checkedEnd(file: string, { line }: FileEnd, head: Head, key: KeyObject) {
  const first = { sequence: 0, hash: firstHash(head.log, key), previous: "" };
  const last = line === undefined ? first : decodeLine(line, key);
  if (last === "edited") throw damaged(file, "its last line was edited");
  if (last === "foreign") throw damaged(file, "its end is not ours");
  const { sequence, hash, previous } = last;
  if (sequence < head.synced) throw damaged(file, "lines are missing at its end");
  if (sequence === head.sequence && hash !== head.hash) {
    throw damaged(file, "it ends in another line than the last one written");
  }
  if (sequence === head.sequence + 1 && previous !== head.hash) {
    throw damaged(file, "its last line does not follow the one before");
  }
  return { sequence, hash };
}

function damaged(file: string, why: string): AuditError {
  return new AuditError("audit-damaged", `${file} is not as it was written: ${why}`, {
    hint: "Look at what `verifyAudit` finds. To begin anew, move the file away and call `forgetAudit`.",
  });
}
