import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { errorCode } from "@skillwright/core/internal";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PREFIX = "skillwright-run-";
const MEMORY = "/dev/shm";
const TMPFS = 0x01021994;
const MIN_MEMORY_BYTES = 1024 ** 3;

const bases = new Map<string, string>();
let count = 0;

/**
 * A new private folder for one run. Runs of this process share a parent whose name tells who made
 * it, so that what a killed process left behind is found and removed.
 */
export function makeRunDirectory(parent: string = memoryDirectory()): string {
  let base = bases.get(parent);
  if (base === undefined || lstatSync(base, { throwIfNoEntry: false }) === undefined) {
    removeStaleRuns(parent);
    base = mkdtempSync(join(parent, `${PREFIX}${owner()}-${process.pid}-`));
    if (bases.size === 0) process.once("exit", removeBases);
    bases.set(parent, base);
  }
  const directory = join(base, String(++count));
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

/** The folder that the runs of this process share; what it holds lives as long as the process. */
export function sharedDirectory(runDirectory: string): string {
  return dirname(runDirectory);
}

/** A folder in memory where there is room: copies of skills are small and short-lived. */
function memoryDirectory(): string {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK | constants.X_OK);
    if (type === TMPFS && bavail * bsize > MIN_MEMORY_BYTES) return MEMORY;
  } catch {
    // Not every system has it.
  }
  return tmpdir();
}

export function removeRunDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 2 });
}

/** The same when there is time: nobody has to wait for it. */
export function removeSoon(directory: string): void {
  setImmediate(() => {
    try {
      removeRunDirectory(directory);
    } catch {
      // Then it goes with its parent, when the process ends.
    }
  });
}

/** Removes what processes of this user that no longer live have left. */
function removeStaleRuns(parent: string): void {
  const own = `${PREFIX}${owner()}-`;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(own)) continue;
    const pid = Number(name.slice(own.length).split("-")[0]);
    const directory = join(parent, name);
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    const isOurs = stats?.isDirectory() === true && stats.uid === process.getuid?.();
    if (!isOurs || !Number.isSafeInteger(pid) || isAlive(pid)) continue;
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch (error) {
      // Another process is removing it at the same time.
      if (!["ENOENT", "ENOTEMPTY"].includes(errorCode(error) ?? "")) throw error;
    }
  }
}

function removeBases(): void {
  for (const base of bases.values()) rmSync(base, { recursive: true, force: true });
}

/** The user, and the namespace in which a process id means something. */
function owner(): string {
  let space = "0";
  try {
    space = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? space;
  } catch {
    // Only Linux has these.
  }
  return `${process.getuid?.() ?? 0}-${space}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
