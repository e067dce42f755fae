import { rmSync } from "node:fs";
import { auditPlace, takeAuditLock } from "./audit-place.ts";

interface ForgetAuditOptions {
  readonly stateDirectory: string;
  /** Done once nobody else writes the record, and before anything is forgotten; may throw. */
  readonly before?: () => void;
}

/**
 * Forgets how far a record went, so that a new one can begin at its path, or its run can be removed.
 * A copy of the old one can no longer be verified. For people to decide, never for a program.
 */
export function forgetAudit(file: string, { stateDirectory, before }: ForgetAuditOptions): void {
  const place = auditPlace(file, stateDirectory);
  const release = takeAuditLock(place.lock);
  try {
    before?.();
    rmSync(place.head, { force: true });
  } finally {
    release();
  }
}
