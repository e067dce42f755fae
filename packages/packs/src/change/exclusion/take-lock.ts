import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hasProcessEnded } from "@skillwright/core";
import { type LockHolder, parseHolder, thisHolder } from "./lock-holder.ts";
import { readPlainFile } from "../files/read-plain-file.ts";

/** Either a lock with the way to give it back, or who has it; the holder is absent when unreadable. */
export type TakenLock =
  | { readonly isTaken: true; readonly release: () => void }
  | { readonly isTaken: false; readonly file: string; readonly holder?: LockHolder };

const NO_HARD_LINKS = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]);

/**
 * One try at a lock file. It appears whole, by a hard link.
 *
 * One whose process has ended is taken over, and of many who try only one may: who holds the second
 * lock, named after the token in the first, and then still finds that token there. Nobody but the
 * holder of that second lock replaces the dead one, so what was checked stays true until the rename.
 * The second lock is taken in the same way, should its holder have ended as well.
 */
export function takeLock(file: string, family = file): TakenLock {
  const token = randomUUID();
  const temporary = `${family}.new-${token}`;
  try {
    writeFileSync(temporary, JSON.stringify(thisHolder(token)), { mode: 0o600, flag: "wx" });
    for (;;) {
      if (isLinked(temporary, file)) return taken(file, token);
      const holder = readHolder(file);
      // Given back meanwhile.
      if (holder === undefined) continue;
      if (holder === "unreadable") return { isTaken: false, file };
      if (!hasProcessEnded(holder)) return { isTaken: false, file, holder };
      const succession = takeLock(`${family}.after-${holder.token}`, family);
      if (!succession.isTaken) return succession;
      try {
        const current = readHolder(file);
        if (typeof current !== "object" || current.token !== holder.token) continue;
        renameSync(temporary, file);
        return taken(file, token);
      } finally {
        succession.release();
      }
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

function taken(file: string, token: string): TakenLock {
  const release = () => {
    const current = readHolder(file);
    if (typeof current === "object" && current.token === token) rmSync(file, { force: true });
  };
  return { isTaken: true, release };
}

function readHolder(file: string): LockHolder | "unreadable" | undefined {
  try {
    const text = readPlainFile(file);
    return text === undefined ? undefined : (parseHolder(text) ?? "unreadable");
  } catch {
    return "unreadable";
  }
}

function isLinked(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
    return isCopied(temporary, file);
  }
}

/** For file systems without hard links. */
function isCopied(temporary: string, file: string): boolean {
  try {
    copyFileSync(temporary, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
