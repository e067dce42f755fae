import { rmSync } from "node:fs";
import { auditPlace } from "./audit-place.ts";
import { takeLock } from "./take-lock.ts";

/**
 * Forgets how far a record went, so that a new one can begin at its path, or its run can be removed.
 * A copy of the old one can no longer be verified. For people to decide, never for a program.
 */
export function forgetAudit(file: string, options: { readonly stateDirectory: string }): void {
  const place = auditPlace(file, options.stateDirectory);
  const release = takeLock(place.lock);
  try {
    rmSync(place.head, { force: true });
  } finally {
    release();
  }
}
