import { takeLock } from "@skillwright/core/internal";
import { AuditError, orAuditError } from "./audit-error.ts";

/** Takes the lock of a record, and gives the function that releases it. Throws when it is held. */
export function takeAuditLock(file: string): () => void {
  const attempt = orAuditError("audit-unwritable", `cannot make ${file}`, () => takeLock(file));
  if (attempt.ok) return attempt.release;
  const { holder, file: held } = attempt;
  if (holder === undefined) {
    throw new AuditError("audit-locked", `the lock ${held} cannot be read`, {
      hint: `Remove ${held} when no process is writing the record.`,
    });
  }
  const { pid, host } = holder;
  throw new AuditError("audit-locked", `process ${pid} on ${host} is writing this record`, {
    hint: `Wait for it to end. If it is known to have ended, remove ${held}.`,
  });
}
