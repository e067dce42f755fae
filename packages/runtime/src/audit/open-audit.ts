import { makeFolder } from "@skillwright/core/internal";
import { dirname } from "node:path";
import {
  type Audit,
  type AuditEvent,
  auditPlace,
  type AuditRecord,
  orAuditError,
  takeAuditLock,
} from "./audit.ts";
import { RecordWriter, type RecordWriterOptions } from "./record-writer.ts";
import type { Redactor } from "./redaction/redactor.ts";
import { markOf, register, startRegister } from "./register.ts";

export interface OpenAuditOptions extends RecordWriterOptions {
  readonly redactor: Redactor;
  /** The record: one JSON object per line. It and its folder are made when missing. */
  readonly file: string;
  /** Where the user's key and the heads are; nothing that is audited may write there. */
  readonly stateDirectory: string;
}

export interface OpenAudit extends Audit {
  append(event: AuditEvent): AuditRecord;
  /** Of the last record. */
  readonly sequence: number;
  /** All of them in one write, or none. */
  appendAll(events: readonly AuditEvent[]): AuditRecord[];
  sync(): void;
  close(): void;
}

/**
 * Opens a record to append to it; one process at a time. A line that a crash left half-written is
 * cut off, and that is recorded as `audit-recovered`. Throws an `AuditError` when the record is not
 * as it was written last.
 */
export function openAudit(options: OpenAuditOptions): OpenAudit {
  const { file, stateDirectory, redactor } = options;
  return orAuditError("audit-unwritable", `cannot write ${file}`, () => {
    // Before its real path can be known, the folder has to be there.
    makeFolder(dirname(file));
    const place = auditPlace(file, stateDirectory);
    const release = takeAuditLock(place.lock);
    try {
      startRegister(stateDirectory);
      const writer = new RecordWriter(place, options);
      const close = () => {
        try {
          writer.close();
        } finally {
          release();
        }
      };
      try {
        // After the head: a crash between the two leaves a record without lines, registered next time.
        if (writer.sequence === 0) register(stateDirectory, markOf("record-created", place));
      } catch (error) {
        writer.close();
        throw error;
      }
      return {
        file: place.file,
        redactor,
        get sequence() {
          return writer.sequence;
        },
        append: (event) => writer.appendAll([event])[0] as AuditRecord,
        appendAll: (events) => writer.appendAll(events),
        sync: () => writer.sync(),
        close,
      };
    } catch (error) {
      release();
      throw error;
    }
  });
}
