import {
  type BigIntStats,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";

interface Settler {
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

interface WatchOptions {
  readonly roots: readonly string[];
  /** Called with the paths that changed, once nothing has happened for a moment. */
  readonly onSettled: (paths: readonly string[]) => Promise<void>;
}

export interface FolderWatcher {
  close(): Promise<void>;
}

/** A folder that is watched under the path that was given for it, which may be a link. */
interface Place {
  /** Tells whether the path leads to the same folder as before. */
  readonly identity: string;
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
}

/** How often roots and links are looked at: what they lead to can come, go or be another. */
const LOOK_MILLISECONDS = 300;
const MAX_DEPTH = 12;
/** More skills than this are not kept as links; each costs a watcher and a stat per look. */
const MAX_LINKS = 1000;

/**
 * Watches folders; a burst of events counts as one. Roots may be links, or appear later. Of the links
 * below a root, those to a skill's folder are followed, and no further. Paths are told as they lie
 * below the roots that were given.
 */
export async function watchFolders({ roots, onSettled }: WatchOptions): Promise<FolderWatcher> {
  const { watch } = await import("chokidar");
  const settler = createSettler(onSettled);
  const places = new Map<string, Place>();
  const links = new Set<string>();

  const open = (given: string, identity: string): Place => {
    const real = realpathSync(given);
    const watcher = watch(real, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: MAX_DEPTH,
      ignored: (path) => isSkipped(relative(real, path)),
    });
    let isReady = false;
    let finish = () => {};
    const ready = new Promise<void>((resolve) => {
      finish = () => {
        isReady = true;
        resolve();
      };
    });
    watcher.once("ready", finish);
    watcher.on("all", (event, path, stats) => {
      const seen = given + path.slice(real.length);
      const isLink = stats?.isSymbolicLink() === true;
      if (isLink && !links.has(given) && links.size < MAX_LINKS && !isInSkill(seen, given)) {
        links.add(seen);
      }
      if (links.has(seen)) lookAtLink(seen);
      // The folder itself: what takes its place is found by the next look.
      if (event === "unlinkDir" && path === real) drop(given);
      // Links are told of at the start as if they were new.
      if (isReady || !isLink) settler.notice(seen);
    });
    const close = () => {
      finish();
      return watcher.close();
    };
    return { identity, ready, close };
  };

  const drop = (given: string) => {
    void places.get(given)?.close();
    places.delete(given);
  };

  /** True when the path leads to another folder than before, or to one for the first time. */
  const look = (given: string, identity: string | undefined): boolean => {
    if (places.get(given)?.identity === identity) return false;
    drop(given);
    if (identity === undefined) return true;
    try {
      places.set(given, open(given, identity));
    } catch {
      // Gone between two looks; the next one will tell.
    }
    return true;
  };

  const lookAtLink = (link: string): boolean => {
    // A link to any other folder could lead to a whole disk.
    const isOurs = places.has(link) || existsSync(join(link, "SKILL.md"));
    const hasChanged = look(link, isOurs ? folderIdentity(link) : undefined);
    if (!isLinkStill(link)) links.delete(link);
    return hasChanged;
  };

  const lookAgain = () => {
    for (const root of roots) {
      if (look(root, folderIdentity(root))) settler.notice(root, { isCertain: true });
    }
    for (const link of links) {
      if (lookAtLink(link)) settler.notice(link, { isCertain: true });
    }
  };

  for (const root of roots) look(root, folderIdentity(root));
  const timer = setInterval(lookAgain, LOOK_MILLISECONDS);
  timer.unref();
  // Links become places while their roots get ready.
  const isReady = new Set<Place>();
  for (let waiting = [...places.values()]; waiting.length > 0;) {
    await Promise.all(waiting.map(({ ready }) => ready));
    for (const place of waiting) isReady.add(place);
    waiting = [...places.values()].filter((place) => !isReady.has(place));
  }
  return {
    async close() {
      clearInterval(timer);
      settler.stop();
      await Promise.all(Array.from(places.values(), (place) => place.close()));
    },
  };
}

/** What is inside of a skill belongs to it, and links there are refused; but for a root that is one. */
function isInSkill(path: string, root: string): boolean {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(join(folder, "SKILL.md"))) return true;
    if (folder === dirname(folder)) break;
  }
  return false;
}

function isSkipped(path: string): boolean {
  return path.split(sep).some((segment) => SKIPPED_FOLDERS.has(segment));
}

function folderIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function isLinkStill(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
