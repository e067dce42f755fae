import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { temporaryPath } from "../directory/temporary-path.ts";
import { StateFileError } from "./state-file-error.ts";
import { hasHolderEnded, thisHolder } from "./state-file-holder.ts";
import { makeFolder, readRegularFile } from "./state-file.ts";

/** What is done under the lock takes milliseconds. */
const PATIENCE_MS = 10_000;
const STEP_MS = 10;

/**
 * Does the work while no other process does such work on the same file: reading it, changing it and
 * writing it back. Waits for its turn.
 */
export function withStateLock<Result>(
  file: string,
  work: () => Result,
  patienceMs = PATIENCE_MS,
): Result {
  makeFolder(dirname(file));
  const temporary = temporaryPath(`${file}.lock`);
  let own: string;
  try {
    writeFileSync(temporary, thisHolder(), { mode: 0o600, flag: "wx" });
    own = waitForPlace(temporary, `${file}.lock`, patienceMs);
  } finally {
    rmSync(temporary, { force: true });
  }
  try {
    return work();
  } finally {
    rmSync(own, { force: true });
  }
}

function waitForPlace(temporary: string, lock: string, patienceMs: number): string {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + patienceMs; ; Atomics.wait(sleeper, 0, 0, STEP_MS)) {
    const place = takePlace(temporary, lock);
    if (place.taken) return place.name;
    if (performance.now() < end) continue;
    throw new StateFileError("locked", `another process is holding ${place.name}`, {
      hint: `try again; if no other skillwright is running, remove ${place.name}`,
    });
  }
}

/**
 * A lock file is removed only by the process that made it, so that nobody removes one that another
 * has just taken over. One whose process has ended stays, and the next stands behind it.
 */
function takePlace(temporary: string, lock: string): { name: string; taken: boolean } {
  for (let index = 0; ; index++) {
    const name = index === 0 ? lock : `${lock}.${index}`;
    if (isLinked(temporary, name)) return { name, taken: true };
    if (!isLeftBehind(name)) return { name, taken: false };
  }
}

function isLinked(temporary: string, name: string): boolean {
  try {
    linkSync(temporary, name);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error;
    return isCopied(temporary, name);
  }
}

/** For file systems without hard links. */
function isCopied(temporary: string, name: string): boolean {
  try {
    copyFileSync(temporary, name, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isLeftBehind(name: string): boolean {
  try {
    return hasHolderEnded(readRegularFile(name).toString("utf8"));
  } catch {
    // Given back meanwhile, or not to be read: the next look tells.
    return false;
  }
}
