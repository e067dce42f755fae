import { makeFolder } from "@skillwright/core/internal";
import { dirname } from "node:path";
import { type Audit, type AuditEvent, type AuditRecord, orAuditError } from "./audit.ts";
import { auditPlace, type AuditPlace, takeAuditLock } from "./audit-place.ts";
import { openWriter, type RecordWriter, type RecordWriterOptions } from "./record-writer.ts";
import type { Redactor } from "./redaction/redactor.ts";
import { register, startRegister } from "./register.ts";

export interface OpenAuditOptions extends RecordWriterOptions {
  readonly redactor: Redactor;
  /** The record: one JSON object per line. It and its folder are made when missing. */
  readonly file: string;
  /** Where the user's key and the heads are; nothing that is audited may write there. */
  readonly stateDirectory: string;
}

interface OpenAudit extends Audit {
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
    const writer = openRegistered(place, options);
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

function openRegistered(place: AuditPlace, options: OpenAuditOptions): RecordWriter {
  const { stateDirectory } = options;
  startRegister(stateDirectory);
  const writer = openWriter(place, options);
  try {
    // After the head: a crash between the two leaves a record without lines, registered next time.
    if (writer.sequence === 0) register(stateDirectory, "record-created", place);
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}
