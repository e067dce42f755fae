import { waitForLockSync } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { AuditError, orAuditError } from "./audit.ts";

/** What belongs to a record. All but the record itself is in the user's state. */
export interface AuditPlace {
  readonly file: string;
  readonly key: string;
  readonly head: string;
  readonly lock: string;
}

/**
 * A record is identified by its path, so the state shows when one is missing or was replaced. The
 * path of its folder is the real one, so that a link to the folder is the same place.
 */
export function auditPlace(file: string, stateDirectory: string): AuditPlace {
  const path = join(realFolder(dirname(resolve(file))), basename(file));
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  const folder = join(resolve(stateDirectory), "audit");
  return {
    file: path,
    key: join(folder, "key"),
    head: join(folder, "heads", `${name}.head`),
    lock: join(folder, "heads", `${name}.lock`),
  };
}

/** The real path of a folder that may not be there yet, or not any more. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(realFolder(parent), basename(folder));
  }
}

/** Takes the lock of a record and returns the function that releases it. Throws when it stays held. */
export function takeAuditLock(file: string, patienceMs = 0): () => void {
  const attempt = orAuditError("audit-unwritable", `cannot make ${file}`, () =>
    waitForLockSync(file, patienceMs),
  );
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
