import { errorCode } from "@skillwright/core/internal";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AuditError } from "./audit.ts";
import { auditPlace, takeAuditLock } from "./record-files.ts";
import { markOf, register, type RegisterOptions } from "./register.ts";
import { verifyAudit } from "./verify-audit.ts";

/**
 * Forgets how far a record went, so that a new one can begin at its path. A copy of the old one can
 * no longer be verified. For people to decide, never for a program.
 */
export function forgetAudit(file: string, { stateDirectory }: RegisterOptions): void {
  const place = auditPlace(file, stateDirectory);
  const release = takeAuditLock(place.lock);
  try {
    register(stateDirectory, markOf("record-pruned", place));
    rmSync(place.head, { force: true });
  } finally {
    release();
  }
}

interface RemoveOptions extends RegisterOptions {
  /**
   * Removes what belongs to a record elsewhere; gets the name of its folder. Called again when the first
   * call was cut off.
   */
  readonly alsoRemove?: ((name: string) => void) | undefined;
}

/** No record is in a folder whose name begins like this. */
const REMOVED = ".removed-";

/**
 * Removes a record with its folder, which leaves a line in the register; false when a process writes
 * the record. The folder is there with all its files or not at all: it is moved aside first.
 */
export function removeAudit(file: string, { stateDirectory, alsoRemove }: RemoveOptions): boolean {
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
      register(stateDirectory, markOf("record-pruned", place));
      moveAside();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Removing it is what makes room for the line.
      moveAside();
      rmSync(removed, { recursive: true, force: true });
      register(stateDirectory, markOf("record-pruned", place));
    }
    rmSync(place.head, { force: true });
  } catch (error) {
    if (existsSync(removed) && !existsSync(folder)) renameSync(removed, folder);
    try {
      register(stateDirectory, markOf("record-created", place));
    } catch {
      // The first error is the one to report.
    }
    throw error;
  } finally {
    release();
  }
  alsoRemove?.(basename(folder));
  rmSync(removed, { recursive: true, force: true });
  return true;
}

function isDiskFull(error: unknown): boolean {
  return errorCode(error) === "ENOSPC" || errorCode((error as Error).cause) === "ENOSPC";
}

/** Finishes removals below a folder that were cut off; `fileIn` names the record in its folder. */
export function finishRemovals(
  directory: string,
  fileIn: (folder: string) => string,
  { stateDirectory, alsoRemove }: RemoveOptions,
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

interface PruneAuditsOptions extends RegisterOptions {
  /** Name of the record in its folder. */
  readonly record: string;
  /** How many of the newest stay in any case. Default: none. */
  readonly keep?: number | undefined;
  /** Only those written last before this, in milliseconds since 1970. Default: of any age. */
  readonly olderThan?: number | undefined;
  /** Whether something in this folder waits for a person. */
  readonly isWaiting?: (folder: string) => boolean;
}

/**
 * - `new`: among the newest, or not old enough.
 * - `waiting`: for a person.
 * - `running`: a process writes it.
 * - `damaged`: it is not as it was written. It may be evidence, so a person has to remove it.
 */
type KeepReason = "new" | "waiting" | "running" | "damaged";

interface PrunedAudits {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly name: string; readonly reason: KeepReason }[];
}

/** Removes old records of a folder that has one folder for each, named so that the newest is last. */
export async function pruneAudits(
  directory: string,
  { stateDirectory, record, keep = 0, olderThan = Infinity, isWaiting }: PruneAuditsOptions,
): Promise<PrunedAudits> {
  const removed: string[] = [];
  const kept: { name: string; reason: KeepReason }[] = [];
  if (!existsSync(directory)) return { removed, kept };
  finishRemovals(directory, (folder) => join(folder, record), { stateDirectory });
  const names = readdirSync(directory).sort().reverse();
  for (const [index, name] of names.entries()) {
    const file = join(directory, name, record);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    let reason: KeepReason | undefined;
    if (index < keep || !((stats?.mtimeMs ?? 0) < olderThan)) reason = "new";
    else if (isWaiting?.(join(directory, name)) === true) reason = "waiting";
    else if (stats !== undefined && !(await isSound(file, stateDirectory))) reason = "damaged";
    else if (!removeAudit(file, { stateDirectory })) reason = "running";
    if (reason === undefined) removed.push(name);
    else kept.push({ name, reason });
  }
  return { removed, kept };
}

async function isSound(file: string, stateDirectory: string): Promise<boolean> {
  const verification = await verifyAudit(file, { stateDirectory }).catch(() => undefined);
  if (verification === undefined) return false;
  return verification.ok || verification.problems.every(({ kind }) => kind === "torn");
}
