import type { FSWatcher } from "chokidar";

export interface WatchOptions {
  readonly roots: readonly string[];
  /** Called with the paths that changed, once nothing has happened for a moment. */
  readonly onSettled: (paths: readonly string[]) => Promise<void>;
}

/** Longer than an editor's save by rename takes, shorter than a person notices. */
const SETTLE_MILLISECONDS = 120;
const MAX_DEPTH = 12;
const IGNORED = /(?:^|[/\\])(?:\.git|node_modules|__pycache__|\.venv)(?:[/\\]|$)/;

/** Watches folders; a burst of events counts as one. Links are not followed. */
export async function watchFolders({ roots, onSettled }: WatchOptions): Promise<FSWatcher> {
  const { watch } = await import("chokidar");
  const paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const settle = () => {
    const settled = [...paths];
    paths.clear();
    // One after the other: the next look must see what this one saw.
    running = running.then(() => onSettled(settled)).catch(() => undefined);
  };
  const watcher = watch([...roots], {
    ignoreInitial: true,
    followSymlinks: false,
    depth: MAX_DEPTH,
    ignored: (path) => IGNORED.test(path),
  });
  watcher.on("all", (_event, path) => {
    paths.add(path);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MILLISECONDS);
  });
  await new Promise<void>((resolve) => {
    watcher.once("ready", () => resolve());
  });
  return watcher;
}
