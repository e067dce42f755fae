import {
  accessSync,
  constants as files,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import {
  errorCode,
  hasProcessEnded,
  ownIdentity,
  parseIdentity,
  readIfPresent,
  removeQuietly,
} from "@skillwright/core/internal";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PREFIX = "skillwright-run-";
/** Tells which process made the folder it is in. */
const OWNER = "owner";
const MEMORY = "/dev/shm";
const TMPFS = 0x01021994;
const MIN_MEMORY_BYTES = 1024 ** 3;

const bases = new Map<string, string>();
let count = 0;

/**
 * A new private folder for one run. Runs of this process share a parent that
 * names its process, so that what a killed process left behind is found and removed.
 */
export function makeRunDirectory(parent: string = memoryDirectory()): string {
  let base = bases.get(parent);
  if (base === undefined || lstatSync(base, { throwIfNoEntry: false }) === undefined) {
    removeStaleRuns(parent);
    base = mkdtempSync(join(parent, PREFIX));
    writeFileSync(join(base, OWNER), JSON.stringify(ownIdentity()));
    if (bases.size === 0)
      process.once("exit", () => [...bases.values()].forEach(removeRunDirectory));
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
    accessSync(MEMORY, files.W_OK | files.X_OK);
    if (type === TMPFS && bavail * bsize > MIN_MEMORY_BYTES) return MEMORY;
  } catch {
    // Not every system has it.
  }
  return tmpdir();
}

export function removeRunDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 2 });
}

/** The same in the background: no caller waits for it. What stays goes when the process ends. */
export function removeSoon(directory: string): void {
  setImmediate(() => removeQuietly(directory));
}

/** Removes what ended processes of this user have left. */
function removeStaleRuns(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const directory = join(parent, name);
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) continue;
    const owner = parseIdentity(readIfPresent(join(directory, OWNER))?.toString("utf8") ?? "");
    if (owner === undefined || !hasProcessEnded(owner)) continue;
    try {
      removeRunDirectory(directory);
    } catch (error) {
      // Another process is removing it at the same time.
      if (!["ENOENT", "ENOTEMPTY"].includes(errorCode(error) ?? "")) throw error;
    }
  }
}
