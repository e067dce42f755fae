import type { KeyObject } from "node:crypto";
import { AuditError } from "./audit-error.ts";
import type { Head } from "./audit-head.ts";
import type { FileEnd } from "./record-file.ts";
import { decodeLine, firstHash } from "./record-line.ts";

/** Where to go on. */
export interface CheckedEnd {
  readonly sequence: number;
  readonly hash: string;
  /** Lines that were written but never synced, and are gone after a power failure. */
  readonly lost: number;
}

/**
 * Checks that a file ends where its head says. It may go further, since a line is written before
 * the head. It may lack lines that were not synced: that is told in the record. Everything else
 * throws.
 */
export function checkEnd(file: string, end: FileEnd, head: Head, key: KeyObject): CheckedEnd {
  const last = lastRecord(file, end, head, key);
  if (last.sequence < head.synced) throw damaged(file, "lines are missing at its end");
  if (last.sequence === head.sequence && last.hash !== head.hash) {
    throw damaged(file, "it ends in another line than the last one written");
  }
  if (last.sequence === head.sequence + 1 && last.previous !== head.hash) {
    throw damaged(file, "its last line does not follow the one before");
  }
  const lost = Math.max(0, head.sequence - last.sequence);
  return { sequence: last.sequence, hash: last.hash, lost };
}

export function damaged(file: string, why: string): AuditError {
  return new AuditError("audit-damaged", `${file} is not as it was written: ${why}`, {
    hint: "Look at what `verifyAudit` finds. To begin anew, move the file away and call `forgetAudit`.",
  });
}

function lastRecord(file: string, { line }: FileEnd, head: Head, key: KeyObject) {
  if (line === undefined) return { sequence: 0, hash: firstHash(head.log, key), previous: "" };
  const read = decodeLine(line, key);
  if (read.kind === "valid") return read;
  throw damaged(file, read.kind === "edited" ? "its last line was edited" : "its end is not ours");
}
