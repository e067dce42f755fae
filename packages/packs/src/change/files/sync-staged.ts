import { walkDirectory } from "@skillwright/core/internal";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { release } from "node:os";
import { dirname, join } from "node:path";
import { MAX_DEPTH } from "./folder-mark.ts";

/** Below this many files and folders their own syncs are as fast, and nobody else's data waits. */
const FEW = 64;
/** More than the threads of the pool; the rest waits in its queue. */
const AT_ONCE = 16;
const isWindows = process.platform === "win32";

/**
 * Flushes everything at or below these folders to the disk: contents first, then names. For 500
 * skills of four files that took 450 to 700 ms one by one, and 70 ms by syncing the file system.
 */
export async function syncStaged(
  paths: readonly string[],
  stateFolder: string,
  signal?: AbortSignal,
): Promise<void> {
  const files: string[] = [];
  const folders = new Set(paths);
  for (const path of paths) {
    const { entries, unreadable } = await walkDirectory(path, { maxDepth: MAX_DEPTH });
    for (const { path: name, kind } of entries) {
      if (kind === "file") files.push(join(path, name));
      for (let above = dirname(name); above !== "."; above = dirname(above)) {
        folders.add(join(path, above));
      }
    }
    for (const name of unreadable) folders.add(join(path, name));
  }
  signal?.throwIfAborted();
  if (files.length + folders.size > FEW && (await syncFileSystem(stateFolder, signal))) return;
  await syncEach(files, isWindows ? "r+" : "r", signal);
  if (!isWindows) await syncEach([...folders], "r", signal);
}

async function syncEach(
  paths: readonly string[],
  flags: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < paths.length) {
      signal?.throwIfAborted();
      await syncOne(paths[next++]!, flags);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, paths.length) }, work));
}

async function syncOne(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** From absolute places only: what a project has on the PATH is not asked. */
const PROGRAMS = ["/usr/bin/sync", "/bin/sync"];
/** Somebody may be writing gigabytes to the same disk, and all of it is waited for. */
const PATIENCE_MS = 10_000;

/**
 * Asks the kernel to write everything that the file system of this folder holds back (`syncfs`),
 * which Node can only do through `sync -f`. It waits for the data and the file system's journal, and
 * since Linux 5.8 it reports data that could not be written. False when that cannot be had or takes
 * too long: then each file must be synced by itself.
 */
async function syncFileSystem(folder: string, signal?: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux" || !isReporting(release())) return false;
  const program = PROGRAMS.find((path) => existsSync(path));
  if (program === undefined) return false;
  const options = {
    env: {},
    cwd: "/",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    ...(signal !== undefined && { signal }),
  } as const;
  const isSynced = await new Promise<boolean>((resolve) => {
    execFile(program, ["-f", "--", folder], options, (error) => resolve(error === null));
  });
  signal?.throwIfAborted();
  return isSynced;
}

function isReporting(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 8);
}
