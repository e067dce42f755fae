import type { KeyObject } from "node:crypto";
import type { AuditEvent, AuditRecord } from "./audit.ts";
import { AuditError } from "./audit-error.ts";
import type { HeadFile } from "./audit-head.ts";
import type { RecordFile } from "./record-file.ts";
import { encodeRecord, MAX_LINE_BYTES } from "./record-line.ts";
import type { Redactor } from "./redaction/redactor.ts";

export interface RecordWriterOptions {
  readonly redactor: Redactor;
  /** Milliseconds since 1970. It may jump; the order of lines is their sequence. */
  readonly clock?: () => number;
  /**
   * When lines are made to survive a power failure. Default: at boundaries, such as `script-start`.
   * With "never", lines that are missing at the next opening are recorded as lost, not refused.
   */
  readonly sync?: "boundary" | "always" | "never";
}

interface Parts {
  readonly file: RecordFile;
  readonly head: HeadFile;
  readonly key: KeyObject;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;
const MAX_NAME_LENGTH = 64;
const BOUNDARIES: ReadonlySet<string> = new Set([
  "audit-recovered",
  "run-end",
  "script-end",
  "script-start",
]);

/** Appends to a file and its head so that both agree whatever fails. */
export class RecordWriter {
  readonly #parts: Parts;
  readonly #redactor: Redactor;
  readonly #clock: () => number;
  readonly #sync: "boundary" | "always" | "never";
  #sequence: number;
  /** The last line that a sync covered. */
  #synced = 0;
  #previous: string;
  /** Why nothing more can be written. */
  #ended: string | undefined;
  #isClosed = false;

  constructor(
    parts: Parts,
    end: { readonly sequence: number; readonly hash: string },
    { redactor, clock = Date.now, sync = "boundary" }: RecordWriterOptions,
  ) {
    this.#parts = parts;
    this.#sequence = end.sequence;
    this.#previous = end.hash;
    this.#redactor = redactor;
    this.#clock = clock;
    this.#sync = sync;
  }

  get sequence(): number {
    return this.#sequence;
  }

  append(event: AuditEvent): AuditRecord {
    return this.appendAll([event])[0] as AuditRecord;
  }

  /** All of them in one write, or none. */
  appendAll(events: readonly AuditEvent[]): AuditRecord[] {
    this.#mustBeOpen();
    for (const { event } of events) {
      if (!NAME.test(event) || event.length > MAX_NAME_LENGTH) {
        throw new TypeError(`"${event}" is no noun and verb in kebab case`);
      }
    }
    // First, since a getter of the data may itself append.
    const redacted = events.map(({ event, data }) => ({
      event,
      data: this.#redactor.redact(data),
    }));
    const records: AuditRecord[] = [];
    const lines: Buffer[] = [];
    for (const { event, data } of redacted) {
      const { hash: previous = this.#previous } = records.at(-1) ?? {};
      const sequence = this.#sequence + records.length + 1;
      const { fields, line, hash } = this.#encode(event, data, { sequence, previous });
      records.push({ ...fields, hash });
      lines.push(line);
    }
    const last = records.at(-1);
    if (last === undefined) return [];
    this.#parts.file.check();
    const isBoundary = events.some(
      ({ event }) => BOUNDARIES.has(event) || event.startsWith("approval-"),
    );
    const isSynced = this.#sync === "always" || (isBoundary && this.#sync === "boundary");
    this.#write(Buffer.concat(lines), last, isSynced);
    return records;
  }

  sync(): void {
    this.#mustBeOpen();
    if (this.#synced < this.#sequence) this.#syncAll();
  }

  #syncAll(): void {
    this.#orEnd(() => {
      this.#parts.file.sync();
      this.#parts.head.write({ synced: this.#sequence });
      this.#parts.head.sync();
    });
    this.#synced = this.#sequence;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#ended === undefined && this.#sync !== "never") this.#syncAll();
    } finally {
      this.#ended ??= "it was closed";
      this.#parts.file.close();
      this.#parts.head.close();
    }
  }

  #encode(
    event: AuditRecord["event"],
    data: unknown,
    { sequence, previous }: Pick<AuditRecord, "sequence" | "previous">,
  ) {
    const fields = {
      schemaVersion: 1 as const,
      sequence,
      time: new Date(this.#clock()).toISOString(),
      event,
      data,
      previous,
    };
    const { line, hash } = encodeRecord(fields, this.#parts.key);
    if (line.length <= MAX_LINE_BYTES) return { fields, line, hash };
    const short = { ...fields, data: { cut: true, bytes: line.length } };
    return { fields: short, ...encodeRecord(short, this.#parts.key) };
  }

  /** The lines, then the head: a file that goes further than its head is sound, not the reverse. */
  #write(line: Buffer, { sequence, hash }: AuditRecord, isSynced: boolean): void {
    const { file, head } = this.#parts;
    this.#orEnd(() => file.append(line), true);
    // After a failed sync nobody knows what the disk holds: what follows must read it again.
    if (isSynced) this.#orEnd(() => file.sync(), false, line);
    this.#orEnd(
      () => head.write({ sequence, hash, ...(isSynced && { synced: sequence }) }),
      true,
      line,
    );
    this.#sequence = sequence;
    if (isSynced) this.#synced = sequence;
    this.#previous = hash;
  }

  #orEnd(operation: () => void, canGoOn = false, written?: Buffer): void {
    try {
      operation();
    } catch (error) {
      const reason = (error as Error).message;
      if (!canGoOn) this.#ended = reason;
      try {
        if (written !== undefined) this.#parts.file.takeBack(written);
        this.#parts.file.check();
      } catch {
        this.#ended = reason;
      }
      throw new AuditError("audit-unwritable", `${this.#parts.file.path}: ${reason}`, {
        cause: error,
        hint: "Make room on the disk, or let it be written; nothing was done.",
      });
    }
  }

  #mustBeOpen(): void {
    if (this.#ended === undefined) return;
    throw new AuditError("audit-closed", `nothing more can be recorded: ${this.#ended}`);
  }
}
