import type { BigIntStats } from "node:fs";
import { closeSync, readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { foldName } from "../workspace/confinement/control-names.ts";
import type { OpenFolder } from "../workspace/confinement/open-folder.ts";
import {
  type Change,
  digestOf,
  entryOf,
  identityOf,
  type Manifest,
  modeOf,
  realEntryOf,
  typeOf,
} from "./change.ts";

export interface CollectOptions {
  /** The view as scripts see it. */
  readonly merged: OpenFolder;
  /** Its upper layer: where to look. */
  readonly upper: OpenFolder;
  /** The real working directory: what was. */
  readonly real: OpenFolder;
  /** Real path of it. */
  readonly root: string;
  /** Time of the file system at the start, in nanoseconds. */
  readonly since: bigint;
  /** Paths that the view does not show. */
  readonly masked: ReadonlySet<string>;
  /** What was collected before in this run: a script saw the real files as they were then. */
  readonly previous?: Manifest | undefined;
  /** Digests of the last time, by path: reading each copy again for every script would take most of the time. */
  readonly digests: Map<string, { readonly identity: string; readonly digest: string }>;
}

export interface Collected extends Manifest {
  /** Folders that git takes for a repository. */
  readonly repositories: readonly string[];
  /** There are more changes than are looked at. */
  readonly isTruncated: boolean;
}

/** A folder in each of the three trees. */
interface Level {
  readonly path: string;
  readonly depth: number;
  readonly merged: OpenFolder;
  readonly upper: OpenFolder;
  readonly real: OpenFolder | undefined;
}

/** A name in a folder of the view, and what it has there. */
interface Seen {
  readonly name: string;
  readonly path: string;
  readonly stats: BigIntStats;
}

const MAX_CHANGES = 20_000;
/** A descriptor in each of three trees is open on every level. */
const MAX_DEPTH = 64;
/** A real file above this has no digest: whether it was touched shows in its times. */
const MAX_DIGEST_BYTES = 64n * 1024n * 1024n;
const SLICE_MS = 10;

class TooManyError extends Error {}

/**
 * Compares the view with the real working directory. The upper layer only says where to look, so
 * nothing depends on how the kernel writes down what is gone. Links are never followed.
 */
export async function collect(options: CollectOptions): Promise<Collected> {
  const { root, since, masked, previous, digests } = options;
  const deleted: Change[] = [];
  const rest: Change[] = [];
  const repositories: string[] = [];
  const earlier = new Map(previous?.changes.map((change) => [keyOf(change), change]));
  let sliceEnd = performance.now() + SLICE_MS;
  let isTruncated = false;
  try {
    await compareFolder({ ...options, path: "", depth: 0 });
  } catch (error) {
    if (!(error instanceof TooManyError)) throw error;
    isTruncated = true;
  }
  return { root, changes: [...deleted, ...rest], repositories, isTruncated };

  function add(change: Change): void {
    if (deleted.length + rest.length >= MAX_CHANGES) throw new TooManyError();
    // The script based its version on the file that was there when it first changed it.
    const { before = change.before, conflict = change.conflict } = earlier.get(keyOf(change)) ?? {};
    const list = change.kind === "deleted" ? deleted : rest;
    list.push({ ...change, ...(before && { before }), ...(conflict && { conflict }) });
  }

  function addInvalid(folder: string, kind: Change["kind"], shown: string): void {
    const after = { type: "special", size: 0, mode: 0 } as const;
    add({ path: below(folder, shown), kind, after, refused: "its name is not valid text" });
  }

  async function rested(): Promise<void> {
    if (performance.now() < sliceEnd) return;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }

  async function compareFolder(level: Level): Promise<void> {
    const { path, merged, upper, real } = level;
    const shown = new Set(merged.names());
    if (isRepository(shown)) repositories.push(path);
    const inUpper = new Set(upper.names((name) => addInvalid(path, "created", name)));
    const hidden = real?.names().filter((name) => !shown.has(name)) ?? [];
    for (const name of [...new Set([...inUpper, ...hidden])].toSorted()) {
      await rested();
      await compareEntry(below(path, name), name, level, inUpper.has(name));
    }
  }

  async function compareEntry(
    path: string,
    name: string,
    level: Level,
    isInUpper: boolean,
  ): Promise<void> {
    const { merged, real, depth } = level;
    const after = merged.stats(name);
    const before = real?.stats(name);
    const shown = after && { name, path, stats: after };
    if (before === undefined || real === undefined) {
      if (shown !== undefined) await created(shown, level);
      return;
    }
    const original = { name, path, stats: before };
    if (after === undefined || shown === undefined) {
      // Hidden by us, or made by someone else in a folder that a script replaced.
      const isOurs = !isInUpper && (masked.has(path) || before.ctimeNs > since);
      if (!isOurs) await removed(original, real, depth);
      return;
    }
    const type = typeOf(after);
    const isSameType = type === typeOf(before);
    if (isSameType && type === "link" && targetOf(merged, name) === targetOf(real, name)) return;
    if (!isSameType || type === "link" || type === "special") {
      await removed(original, real, depth);
      return created(shown, level);
    }
    if (type === "file") return isInUpper ? changedFile(shown, before, level) : undefined;
    if (modeOf(after) !== modeOf(before)) {
      add({ path, kind: "mode", before: realEntryOf(before), after: entryOf(after) });
    }
    if (isInUpper) await enter(shown, level, openOrNone(real, name));
  }

  async function changedFile(file: Seen, before: BigIntStats, level: Level): Promise<void> {
    const { name, path, stats } = file;
    // Made by the script, and now there as well, or touched while it ran.
    const wasTouched = earlier.get(`+${path}`)?.kind === "created" || before.ctimeNs > since;
    const digest = await copyDigest(file, level.merged);
    const old = realDigest({ name, path, stats: before }, level.real);
    const isSame = old === digest;
    if (isSame && modeOf(stats) === modeOf(before)) return;
    add({
      path,
      kind: isSame ? "mode" : "modified",
      before: realEntryOf(before, old),
      after: entryOf(stats, digest),
      ...(wasTouched && { conflict: true }),
    });
  }

  async function created(entry: Seen, level: Level): Promise<void> {
    const { name, path, stats } = entry;
    const { depth, merged } = level;
    const type = typeOf(stats);
    const digest = type === "file" ? await copyDigest(entry, merged) : undefined;
    const target = type === "link" && { target: targetOf(merged, name) };
    const after = { ...entryOf(stats, digest), ...target };
    add({ path, kind: "created", after, ...tooDeep(stats, depth) });
    if (type === "folder") await enter(entry, level, undefined);
  }

  /** A folder of the view, which a script may have made unreadable for itself. */
  async function enter(
    { name, path, stats }: Seen,
    { merged, upper, depth }: Level,
    real: OpenFolder | undefined,
  ): Promise<void> {
    const opened = real === undefined ? [] : [real];
    try {
      if (depth >= MAX_DEPTH) return;
      await merged.readable(name, stats, async () => {
        const inside = merged.folder(name);
        opened.push(inside);
        const layer = upper.folder(name);
        opened.push(layer);
        await compareFolder({ path, depth: depth + 1, merged: inside, upper: layer, real });
      });
    } finally {
      for (const folder of opened) folder.close();
    }
  }

  async function removed(entry: Seen, real: OpenFolder, depth: number): Promise<void> {
    const { name, path, stats } = entry;
    await rested();
    const type = typeOf(stats);
    const folder = type === "folder" && depth < MAX_DEPTH ? openOrNone(real, name) : undefined;
    try {
      for (const child of folder?.names((shown) => addInvalid(path, "deleted", shown)) ?? []) {
        const inside = folder?.stats(child);
        if (folder === undefined || inside === undefined) continue;
        await removed({ name: child, path: below(path, child), stats: inside }, folder, depth + 1);
      }
    } finally {
      folder?.close();
    }
    const target = type === "link" && { target: targetOf(real, name) };
    add({
      path,
      kind: "deleted",
      before: { ...realEntryOf(stats, realDigest(entry, real)), ...target },
      ...tooDeep(stats, depth),
      // Changes inside a folder change its times too.
      ...(type !== "folder" && stats.ctimeNs > since && { conflict: true as const }),
    });
  }

  function realDigest(
    { name, path, stats }: Seen,
    real: OpenFolder | undefined,
  ): string | undefined {
    if (!stats.isFile() || stats.size > MAX_DIGEST_BYTES || masked.has(path)) return undefined;
    try {
      return real && fileDigest(real, name);
    } catch {
      return undefined;
    }
  }

  async function copyDigest({ name, path, stats }: Seen, merged: OpenFolder): Promise<string> {
    const identity = identityOf(stats);
    const known = digests.get(path);
    if (known?.identity === identity) return known.digest;
    const digest = await merged.readable(name, stats, () => fileDigest(merged, name));
    digests.set(path, { identity, digest });
    return digest;
  }
}

function fileDigest(folder: OpenFolder, name: string): string {
  const descriptor = folder.open(name);
  try {
    return digestOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function targetOf(folder: OpenFolder, name: string): string {
  return readlinkSync(folder.child(name));
}

function openOrNone(parent: OpenFolder, name: string): OpenFolder | undefined {
  try {
    return parent.folder(name);
  } catch {
    return undefined;
  }
}

function tooDeep(stats: BigIntStats, depth: number): { readonly refused?: string } {
  const isTooDeep = stats.isDirectory() && depth >= MAX_DEPTH;
  return isTooDeep ? { refused: `it lies below ${MAX_DEPTH} folders` } : {};
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function keyOf({ path, kind }: Change): string {
  return `${kind === "deleted" ? "-" : "+"}${path}`;
}

/** As git decides: `commondir` says that objects and refs are elsewhere. */
function isRepository(names: ReadonlySet<string>): boolean {
  const folded = new Set([...names].map(foldName));
  if (!folded.has("head")) return false;
  return folded.has("commondir") || (folded.has("objects") && folded.has("refs"));
}
