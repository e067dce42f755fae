import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { SKIPPED_FOLDERS } from "../directory/skipped-folders.ts";

export interface Settler {
  /** Certain changes count even if the path itself looks as before. */
  notice(path: string, options?: { readonly isCertain: boolean }): void;
  stop(): void;
}

/** Longer than an editor's save by rename takes, shorter than a person notices. */
const SETTLE_MILLISECONDS = 150;
/** How many paths are remembered as they were, and how many of one edit; the rest count twice. */
const MAX_REMEMBERED = 100_000;
const MAX_OF_ONE = 20_000;
const GONE = "gone";

/**
 * Collects paths and tells of them, once nothing has happened for a moment. Late events tell of what
 * was seen already: a path that is as it was at the last look is not told of again. That is judged by
 * the path alone, since clocks jump.
 */
export function createSettler(onSettled: (paths: readonly string[]) => Promise<void>): Settler {
  const paths = new Map<string, boolean>();
  const seen = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const settle = () => {
    const settled = [...paths]
      .filter(([path, isCertain]) => isCertain || seen.get(path) !== stampOf(path))
      .map(([path]) => path);
    paths.clear();
    if (settled.length === 0) return;
    // Before the look: what changes during it must not be taken for seen.
    if (seen.size > MAX_REMEMBERED) seen.clear();
    remember(settled, seen);
    // One after the other: the next look must see what this one saw.
    running = running.then(() => onSettled(settled)).catch(() => undefined);
  };
  return {
    notice(path, { isCertain } = { isCertain: false }) {
      paths.set(path, isCertain || paths.get(path) === true);
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MILLISECONDS);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/** The paths, and all below them: the events of a folder's files may come after its own. */
function remember(paths: readonly string[], seen: Map<string, string>): void {
  const folders = [...paths];
  let left = MAX_OF_ONE + paths.length;
  for (let next = folders.pop(); next !== undefined && left > 0; next = folders.pop()) {
    left--;
    const stats = statsOf(next);
    seen.set(next, stampFrom(stats));
    if (stats?.isDirectory() !== true) continue;
    for (const name of namesIn(next)) {
      if (!SKIPPED_FOLDERS.has(name)) folders.push(`${next}/${name}`);
    }
  }
}

function stampOf(path: string): string {
  return stampFrom(statsOf(path));
}

function stampFrom(stats: BigIntStats | undefined): string {
  if (stats === undefined) return GONE;
  const { ctimeNs, mtimeNs, size, ino } = stats;
  return `${ctimeNs}.${mtimeNs}.${size}.${ino}`;
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
