import { makeFolder } from "@skillwright/core/internal";
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AuditError, orAuditError } from "./audit-error.ts";
import { hasEnded, type ProcessIdentity, thisProcess } from "./process-identity.ts";

interface LockOptions {
  /** Giving it back also removes the locks of processes that have ended. */
  readonly sweeps?: boolean;
}

/**
 * Takes the lock, or throws, and gives the function that gives it back.
 *
 * A lock file is removed only by the process that made it. One whose process has ended stays, and the
 * next one stands behind it: `.lock`, `.lock.1`, `.lock.2`. So nobody can remove a lock that another
 * has just taken over. Only who holds the last one may remove those before it, from the first on, as
 * the last thing it does: a place that it has left can be taken, one that it has not cannot.
 */
export function takeLock(lock: string, { sweeps = false }: LockOptions = {}): () => void {
  const temporary = `${lock}.new.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    return orAuditError("audit-unwritable", `cannot make ${lock}`, () => {
      makeFolder(dirname(lock));
      writeFileSync(temporary, JSON.stringify(thisProcess()), { mode: 0o600, flag: "wx" });
      const places = takePlace(temporary, lock);
      let isHeld = true;
      return () => {
        // A second time it could be the lock of someone else.
        const left = isHeld ? places.slice(sweeps ? 0 : -1) : [];
        isHeld = false;
        for (const place of left) rmSync(place, { force: true });
      };
    });
  } finally {
    removeIfPossible(temporary);
  }
}

/** The own place is the last one. */
function takePlace(temporary: string, lock: string): readonly string[] {
  const places: string[] = [];
  for (let index = 0; ; index++) {
    const name = index === 0 ? lock : `${lock}.${index}`;
    places[index] = name;
    if (isLinked(temporary, name)) return places;
    const holder = readHolder(name);
    // Given back between the two calls: once more.
    if (holder === "gone") index--;
    else if (!hasEnded(holder)) throw locked(name, holder);
  }
}

function isLinked(temporary: string, name: string): boolean {
  try {
    linkSync(temporary, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(name: string): ProcessIdentity | "gone" {
  try {
    return JSON.parse(readFileSync(name, "utf8")) as ProcessIdentity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "gone";
    throw new AuditError("audit-locked", `the lock ${name} cannot be read`, {
      cause: error,
      hint: `Remove ${name} when no process is writing the record.`,
    });
  }
}

function locked(name: string, { pid, host }: ProcessIdentity): AuditError {
  return new AuditError("audit-locked", `process ${pid} on ${host} is writing this record`, {
    hint: `Wait for it to end. If it is known to have ended, remove ${name}.`,
  });
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written there is nothing to remove.
  }
}
