import { lstatSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { SKIPPED_FOLDERS } from "../directory/skipped-folders.ts";

export interface WatchOptions {
  readonly roots: readonly string[];
  /** Called with the paths that changed, once nothing has happened for a moment. */
  readonly onSettled: (paths: readonly string[]) => Promise<void>;
}

export interface FolderWatcher {
  close(): Promise<void>;
}

/** Longer than an editor's save by rename takes, shorter than a person notices. */
const SETTLE_MILLISECONDS = 150;
/** How often a root that is not there is looked for; the watcher cannot watch what is missing. */
const MISSING_MILLISECONDS = 300;
const MAX_DEPTH = 12;

/**
 * Watches folders; a burst of events counts as one. Roots may be links, or appear later. Links below
 * them are not followed. Paths are told as they lie below the roots that were given.
 */
export async function watchFolders({ roots, onSettled }: WatchOptions): Promise<FolderWatcher> {
  const { watch } = await import("chokidar");
  const paths = new Set<string>();
  const realRoots = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let looked = Date.now();
  let running: Promise<void> = Promise.resolve();
  const settle = () => {
    const settled = [...paths].filter((path) => changedSince(path, looked));
    paths.clear();
    if (settled.length === 0) return;
    looked = Date.now();
    // One after the other: the next look must see what this one saw.
    running = running.then(() => onSettled(settled)).catch(() => undefined);
  };
  const noticed = (path: string) => {
    paths.add(path);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MILLISECONDS);
  };
  const watcher = watch([], {
    ignoreInitial: true,
    followSymlinks: false,
    depth: MAX_DEPTH,
    ignored: (path) => isIgnored(path, realRoots.keys()),
  });
  watcher.on("all", (_event, path) => noticed(asGiven(path, realRoots)));
  const ready = new Promise<void>((resolve) => {
    watcher.once("ready", () => resolve());
  });
  const addMissing = (isFirst: boolean) => {
    for (const root of roots) {
      const real = realPath(root);
      const known = [...realRoots].find(([, given]) => given === root)?.[0];
      if (real === known) continue;
      if (known !== undefined) {
        realRoots.delete(known);
        watcher.unwatch(known);
      }
      if (real !== undefined) {
        realRoots.set(real, root);
        watcher.add(real);
      }
      if (!isFirst) noticed(root);
    }
  };
  addMissing(true);
  const poll = setInterval(() => addMissing(false), MISSING_MILLISECONDS);
  poll.unref();
  if (realRoots.size > 0) await ready;
  return {
    async close() {
      clearInterval(poll);
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** Late events tell of what was seen already; a path that is gone has always changed. */
function changedSince(path: string, time: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.ctimeMs >= time - SETTLE_MILLISECONDS;
}

function isIgnored(path: string, roots: Iterable<string>): boolean {
  for (const root of roots) {
    if (path !== root && !path.startsWith(`${root}${sep}`)) continue;
    return relative(root, path)
      .split(sep)
      .some((segment) => SKIPPED_FOLDERS.has(segment));
  }
  return false;
}

function asGiven(path: string, realRoots: ReadonlyMap<string, string>): string {
  for (const [real, given] of realRoots) {
    if (path === real || path.startsWith(`${real}${sep}`)) return given + path.slice(real.length);
  }
  return path;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
