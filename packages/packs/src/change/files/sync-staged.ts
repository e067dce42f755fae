import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { walkDirectory } from "@skillwright/core/internal";
import { MAX_DEPTH } from "./folder-mark.ts";
import { syncFileSystem } from "./sync-file-system.ts";

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
