import { type LockAttempt, takeLock, waitForLockSync } from "@skillwright/core/internal";
import { createHash, type KeyObject } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { KeyFileError, openKeyFile, readKeyFile } from "../key-file.ts";
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

/** The key that signs records, made on first use. */
export function openKey(file: string): KeyObject {
  return orAuditError("audit-unwritable", `cannot make ${file}`, () =>
    orUnusable(file, () => openKeyFile(file)),
  );
}

/** The same; undefined if absent. */
export function readKey(file: string): KeyObject | undefined {
  return orUnusable(file, () => readKeyFile(file));
}

function orUnusable<Result>(file: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (cause) {
    if (!(cause instanceof KeyFileError)) throw cause;
    const message = `the key ${file} cannot be used: ${cause.message}`;
    throw new AuditError("audit-key-unusable", message, {
      cause,
      hint: `Give it back to its owner with mode 0600. Without it, move ${dirname(file)} away: records made so far can then no longer be verified.`,
    });
  }
}

/** Takes the lock of a record and returns the function that releases it. Throws when it is held. */
export function takeAuditLock(file: string): () => void {
  return released(orAuditError("audit-unwritable", `cannot make ${file}`, () => takeLock(file)));
}

/** For records that are written for milliseconds only. */
export function waitForAuditLock(file: string): () => void {
  const wait = () => waitForLockSync(file, PATIENCE_MS);
  return released(orAuditError("audit-unwritable", `cannot make ${file}`, wait));
}

const PATIENCE_MS = 30_000;

function released(attempt: LockAttempt): () => void {
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
