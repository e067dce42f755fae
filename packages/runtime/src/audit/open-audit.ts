import { makeFolder } from "@skillwright/core/internal";
import { createHash, randomUUID } from "node:crypto";
import { dirname } from "node:path";
import type { Audit, AuditEvent, AuditRecord } from "./audit.ts";
import { type AuditDisk, realDisk } from "./audit-disk.ts";
import { orAuditError } from "./audit-error.ts";
import { HeadFile } from "./audit-head.ts";
import { openKey } from "./audit-key.ts";
import { takeAuditLock } from "./audit-lock.ts";
import { type AuditPlace, auditPlace } from "./audit-place.ts";
import { checkEnd, damaged } from "./check-end.ts";
import { RecordFile } from "./record-file.ts";
import { firstHash } from "./record-line.ts";
import { RecordWriter, type RecordWriterOptions } from "./record-writer.ts";

export interface OpenAuditOptions extends RecordWriterOptions {
  /** The record: one JSON object per line. It and its folder are made when missing. */
  readonly file: string;
  /** Where the user's key and the heads are; nothing that is audited may write there. */
  readonly stateDirectory: string;
  /** Gives the id of a new record. */
  readonly ids?: () => string;
  /** For tests: a disk that fails. */
  readonly disk?: AuditDisk;
}

export interface OpenAudit extends Audit {
  /** Of the last record. */
  readonly sequence: number;
  /** All of them in one write, or none. */
  appendAll(events: readonly AuditEvent[]): AuditRecord[];
  sync(): void;
}

/**
 * Opens a record to append to it; one process at a time. A line that a crash left half-written is
 * cut off, and that is recorded as `audit-recovered`. Throws an `AuditError` when the record is not
 * as it was written last.
 */
export function openAudit(options: OpenAuditOptions): OpenAudit {
  const place = openPlace(options);
  const release = takeAuditLock(place.lock);
  try {
    const writer = openWriter(place, options);
    return {
      file: place.file,
      redactor: options.redactor,
      get sequence() {
        return writer.sequence;
      },
      append: (event: AuditEvent): AuditRecord => writer.append(event),
      appendAll: (events: readonly AuditEvent[]): AuditRecord[] => writer.appendAll(events),
      sync: () => writer.sync(),
      close() {
        try {
          writer.close();
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The folder has to be there before its real path can be known. */
function openPlace({ file, stateDirectory }: OpenAuditOptions): AuditPlace {
  return orAuditError("audit-unwritable", `cannot make the folders of ${file}`, () => {
    makeFolder(dirname(file));
    const place = auditPlace(file, stateDirectory);
    makeFolder(dirname(place.head));
    return place;
  });
}

function openWriter(place: AuditPlace, options: OpenAuditOptions): RecordWriter {
  const { disk = realDisk, ids = randomUUID } = options;
  const key = openKey(place.key);
  const file = new RecordFile(place.file, disk);
  let head: HeadFile | undefined;
  try {
    const end = file.readEnd();
    head = HeadFile.open(place.head, disk);
    if (head === undefined) {
      if (end.line !== undefined || end.torn.length > 0) {
        throw damaged(place.file, "nothing is known of it in the user's state");
      }
      const log = ids();
      const first = { log, sequence: 0, synced: 0, hash: firstHash(log, key) };
      head = HeadFile.create(place.head, place.file, first, disk);
    }
    const { lost, ...last } = checkEnd(place.file, end, head.head, key);
    const writer = new RecordWriter({ file, head, key }, last, options);
    if (end.torn.length === 0 && lost === 0) return writer;
    const sha256 = createHash("sha256").update(end.torn).digest("hex");
    file.cut(end.torn.length);
    writer.append({
      event: "audit-recovered",
      data: { lostRecords: lost, cutBytes: end.torn.length, cutSha256: sha256 },
    });
    return writer;
  } catch (error) {
    head?.close();
    file.close();
    throw error;
  }
}
