import { makeFolder } from "@skillwright/core";
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AuditError, orAuditError } from "./audit-error.ts";
import { hasEnded, type ProcessIdentity, thisProcess } from "./process-identity.ts";

/**
 * Takes the lock, or throws, and gives the function that gives it back.
 *
 * A lock file is removed only by the process that made it. One whose process has ended stays, and the
 * next one stands behind it: `.lock`, `.lock.1`, `.lock.2`. So nobody can remove a lock that another
 * has just taken over.
 */
export function takeLock(lock: string): () => void {
  const temporary = `${lock}.new.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    return orAuditError("audit-unwritable", `cannot make ${lock}`, () => {
      makeFolder(dirname(lock));
      writeFileSync(temporary, JSON.stringify(thisProcess()), { mode: 0o600, flag: "wx" });
      const own = takePlace(temporary, lock);
      let isHeld = true;
      return () => {
        // A second time it could be the lock of someone else.
        if (isHeld) rmSync(own, { force: true });
        isHeld = false;
      };
    });
  } finally {
    removeIfPossible(temporary);
  }
}

function takePlace(temporary: string, lock: string): string {
  for (let index = 0; ; index++) {
    const name = index === 0 ? lock : `${lock}.${index}`;
    if (isLinked(temporary, name)) return name;
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
