import { errorCode } from "@skillwright/core/internal";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AuditError } from "./audit.ts";
import { auditPlace, takeAuditLock } from "./audit-place.ts";
import { register, type RegisterOptions } from "./register.ts";

/**
 * Forgets how far a record went, so that a new one can begin at its path. A copy of the old one can
 * no longer be verified. For people to decide, never for a program.
 */
export function forgetAudit(file: string, { stateDirectory }: RegisterOptions): void {
  const place = auditPlace(file, stateDirectory);
  const release = takeAuditLock(place.lock);
  try {
    register(stateDirectory, "record-pruned", place);
    rmSync(place.head, { force: true });
  } finally {
    release();
  }
}

interface RemoveAuditOptions extends RegisterOptions {
  /** Removes what belongs to the record elsewhere; called again when the first call was cut off. */
  readonly alsoRemove?: (() => void) | undefined;
}

/** No record is in a folder whose name begins like this. */
const REMOVED = ".removed-";

/**
 * Removes a record with its folder, which leaves a line in the register; false when a process writes
 * the record. The folder is there with all its files or not at all: it is moved aside first.
 */
export function removeAudit(
  file: string,
  { stateDirectory, alsoRemove }: RemoveAuditOptions,
): boolean {
  const place = auditPlace(file, stateDirectory);
  const folder = dirname(place.file);
  const removed = join(dirname(folder), `${REMOVED}${basename(folder)}`);
  let release: () => void;
  try {
    release = takeAuditLock(place.lock);
  } catch (error) {
    if (AuditError.isInstance(error) && error.code === "audit-locked") return false;
    throw error;
  }
  const moveAside = () => {
    rmSync(removed, { recursive: true, force: true });
    renameSync(folder, removed);
  };
  try {
    try {
      register(stateDirectory, "record-pruned", place);
      moveAside();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Removing it is what makes room for the line.
      moveAside();
      rmSync(removed, { recursive: true, force: true });
      register(stateDirectory, "record-pruned", place);
    }
    rmSync(place.head, { force: true });
  } catch (error) {
    if (existsSync(removed) && !existsSync(folder)) renameSync(removed, folder);
    orNothing(() => register(stateDirectory, "record-created", place));
    throw error;
  } finally {
    release();
  }
  alsoRemove?.();
  rmSync(removed, { recursive: true, force: true });
  return true;
}

function isDiskFull(error: unknown): boolean {
  return errorCode(error) === "ENOSPC" || errorCode((error as Error).cause) === "ENOSPC";
}

/** For what is tried while an error is on its way. */
function orNothing(operation: () => void): void {
  try {
    operation();
  } catch {
    // The first error is the one to report.
  }
}

/** Finishes removals below a folder that were cut off; `fileIn` names the record in its folder. */
export function finishRemovals(
  directory: string,
  fileIn: (folder: string) => string,
  { stateDirectory, alsoRemove }: RegisterOptions & { alsoRemove?: (name: string) => void },
): void {
  for (const entry of readdirSync(directory)) {
    const name = entry.startsWith(REMOVED) ? entry.slice(REMOVED.length) : "";
    if (name === "") continue;
    const folder = join(directory, name);
    const { head } = auditPlace(fileIn(folder), stateDirectory);
    if (!existsSync(folder)) {
      rmSync(head, { force: true });
      alsoRemove?.(name);
    }
    rmSync(join(directory, entry), { recursive: true, force: true });
  }
}
