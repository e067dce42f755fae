import { setImmediate } from "node:timers/promises";
import { foldName } from "../workspace/confinement/control-names.ts";
import {
  type Change,
  type Entry,
  identityOf,
  type Manifest,
  PERMISSIONS,
  typeOf,
} from "./change.ts";
import { fileDigest, type Folder, plainEntry, realEntry } from "./folder.ts";
import type { BigIntStats } from "node:fs";

export interface CollectOptions {
  /** The view as scripts see it. */
  readonly merged: Folder;
  /** Its upper layer: where to look. */
  readonly upper: Folder;
  /** The real working directory: what was. */
  readonly real: Folder;
  /** Real path of it. */
  readonly root: string;
  /** Time of the file system at the start, in nanoseconds. */
  readonly since: bigint;
  /** Paths that the view does not show. */
  readonly masked: ReadonlySet<string>;
  /** What was collected before in this run: a script saw the real files as they were then. */
  readonly previous?: Manifest;
  /** Digests of the last time, by path. */
  readonly digests: Map<string, { readonly stamp: string; readonly digest: string }>;
}

export interface Collected extends Manifest {
  /** Folders that git takes for a repository. */
  readonly repositories: readonly string[];
  /** There are more changes than are looked at. */
  readonly isTruncated: boolean;
  /** Files that were written again since the last time, with the same content. */
  readonly rewritten: ReadonlySet<string>;
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
  const rewritten = new Set<string>();
  const earlier = new Map(previous?.changes.map((change) => [keyOf(change), change]));
  let sliceEnd = performance.now() + SLICE_MS;
  let isTruncated = false;

  const add = (change: Change): void => {
    if (deleted.length + rest.length >= MAX_CHANGES) throw new TooManyError();
    // The script based its version on the file that was there when it first changed it.
    const { before = change.before, conflict = change.conflict } = earlier.get(keyOf(change)) ?? {};
    const list = change.kind === "deleted" ? deleted : rest;
    list.push({ ...change, ...(before && { before }), ...(conflict && { conflict }) });
  };
  const rested = async (): Promise<void> => {
    if (performance.now() < sliceEnd) return;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  };
  const invalid = (path: string, kind: Change["kind"]) => (shown: string) =>
    add({
      path: below(path, shown),
      kind,
      after: { type: "special", size: 0, mode: 0 },
      refused: "its name is not valid text",
    });

  try {
    await compareFolder("", options.merged, options.upper, options.real, 0);
  } catch (error) {
    if (!(error instanceof TooManyError)) throw error;
    isTruncated = true;
  }
  return { root, changes: [...deleted, ...rest], repositories, isTruncated, rewritten };

  async function compareFolder(
    path: string,
    merged: Folder,
    upper: Folder,
    real: Folder | undefined,
    depth: number,
  ): Promise<void> {
    const shown = merged.names();
    if (isRepository(shown)) repositories.push(path);
    const inUpper = new Set(upper.names(invalid(path, "created")));
    const candidates = new Set(inUpper);
    if (real !== undefined) {
      const isShown = new Set(shown);
      for (const name of real.names()) if (!isShown.has(name)) candidates.add(name);
    }
    for (const name of [...candidates].toSorted()) {
      await rested();
      await compareEntry(below(path, name), name, { merged, upper, real, depth, inUpper });
    }
  }

  async function compareEntry(path: string, name: string, at: Place): Promise<void> {
    const after = at.merged.stats(name);
    const before = at.real?.stats(name);
    if (after === undefined) {
      if (before === undefined || at.real === undefined) return;
      // Hidden by us, or made by someone else in a folder that a script replaced.
      if (!at.inUpper.has(name) && (masked.has(path) || before.ctimeNs > since)) return;
      await removed(path, name, before, at.real, at.depth);
      return;
    }
    if (before === undefined || at.real === undefined) return created(path, name, after, at);
    const [type, oldType] = [typeOf(after), typeOf(before)];
    const isSameLink =
      type === "link" && oldType === "link" && at.merged.target(name) === at.real.target(name);
    if (isSameLink) return;
    if (type !== oldType || (type !== "file" && type !== "folder")) {
      await removed(path, name, before, at.real, at.depth);
      return created(path, name, after, at);
    }
    if (type === "folder") return sameFolder(path, name, { after, before }, at);
    if (at.inUpper.has(name)) await changedFile(path, name, { after, before }, at);
  }

  /** A folder that is in both: its mode, and what is in it. */
  async function sameFolder(
    path: string,
    name: string,
    { after, before }: Both,
    at: Place,
  ): Promise<void> {
    if (modeOf(after) !== modeOf(before)) {
      add({ path, kind: "mode", before: realEntry(before), after: plainEntry(after) });
    }
    if (!at.inUpper.has(name)) return;
    const real = openOrNone(at.real, name);
    try {
      await enter(path, name, after, at, real);
    } finally {
      real?.close();
    }
  }

  async function changedFile(
    path: string,
    name: string,
    { after, before }: Both,
    at: Place,
  ): Promise<void> {
    // Made by the script, and now there as well, or touched while it ran.
    const wasTouched = earlier.get(`+${path}`)?.kind === "created" || before.ctimeNs > since;
    const digest = await copyDigest(path, name, after, at.merged);
    const old = realDigest(path, name, before, at.real);
    const isSame = old === digest;
    if (isSame && modeOf(after) === modeOf(before)) return;
    add({
      path,
      kind: isSame ? "mode" : "modified",
      before: realEntry(before, old),
      after: { ...plainEntry(after), digest },
      ...(wasTouched && { conflict: true }),
    });
  }

  async function created(path: string, name: string, stats: BigIntStats, at: Place) {
    const entry = plainEntry(stats);
    const { type } = entry;
    let after: Entry = entry;
    if (type === "file") {
      after = { ...entry, digest: await copyDigest(path, name, stats, at.merged) };
    } else if (type === "link") after = { ...entry, target: at.merged.target(name) };
    add({ path, kind: "created", after, ...tooDeep(type, at.depth) });
    if (type === "folder") await enter(path, name, stats, at, undefined);
  }

  /** A folder of the view, which a script may have made unreadable for itself. */
  async function enter(
    path: string,
    name: string,
    stats: BigIntStats,
    { merged, upper, depth }: Place,
    real: Folder | undefined,
  ): Promise<void> {
    if (depth >= MAX_DEPTH) return;
    await merged.readable(name, stats, async () => {
      const [opened, layer] = [merged.folder(name), upper.folder(name)];
      try {
        await compareFolder(path, opened, layer, real, depth + 1);
      } finally {
        opened.close();
        layer.close();
      }
    });
  }

  async function removed(
    path: string,
    name: string,
    stats: BigIntStats,
    real: Folder,
    depth: number,
  ): Promise<void> {
    await rested();
    const type = typeOf(stats);
    if (type === "folder" && depth < MAX_DEPTH) {
      const folder = openOrNone(real, name);
      try {
        for (const child of folder?.names(invalid(path, "deleted")) ?? []) {
          const inside = folder?.stats(child);
          if (folder === undefined || inside === undefined) continue;
          await removed(below(path, child), child, inside, folder, depth + 1);
        }
      } finally {
        folder?.close();
      }
    }
    add({
      path,
      kind: "deleted",
      before: {
        ...realEntry(stats, realDigest(path, name, stats, real)),
        ...(type === "link" && { target: real.target(name) }),
      },
      ...tooDeep(type, depth),
      // Changes inside a folder change its times too.
      ...(type !== "folder" && stats.ctimeNs > since && { conflict: true as const }),
    });
  }

  function realDigest(
    path: string,
    name: string,
    stats: BigIntStats,
    real: Folder | undefined,
  ): string | undefined {
    if (!stats.isFile() || stats.size > MAX_DIGEST_BYTES || masked.has(path)) return undefined;
    try {
      return real && fileDigest(real, name);
    } catch {
      return undefined;
    }
  }

  /** Reading the same copy again for each later script of the run would take most of the time. */
  async function copyDigest(
    path: string,
    name: string,
    stats: BigIntStats,
    merged: Folder,
  ): Promise<string> {
    const stamp = identityOf(stats);
    const known = digests.get(path);
    if (known?.stamp === stamp) return known.digest;
    const digest = await merged.readable(name, stats, () => fileDigest(merged, name));
    if (known?.digest === digest) rewritten.add(path);
    // To be read, it may have been given another mode for a moment.
    digests.set(path, { stamp: identityOf(merged.stats(name) ?? stats), digest });
    return digest;
  }
}

interface Place {
  readonly merged: Folder;
  readonly upper: Folder;
  readonly real: Folder | undefined;
  readonly depth: number;
  readonly inUpper: ReadonlySet<string>;
}

interface Both {
  readonly after: BigIntStats;
  readonly before: BigIntStats;
}

function tooDeep(type: Entry["type"], depth: number): { readonly refused?: string } {
  const isTooDeep = type === "folder" && depth >= MAX_DEPTH;
  return isTooDeep ? { refused: `it lies below ${MAX_DEPTH} folders` } : {};
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function keyOf({ path, kind }: Change): string {
  return `${kind === "deleted" ? "-" : "+"}${path}`;
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & PERMISSIONS;
}

function openOrNone(parent: Folder | undefined, name: string): Folder | undefined {
  try {
    return parent?.folder(name);
  } catch {
    return undefined;
  }
}

/** As git decides: `commondir` says that objects and refs are elsewhere. */
function isRepository(names: readonly string[]): boolean {
  const folded = new Set(names.map(foldName));
  if (!folded.has("head")) return false;
  return folded.has("commondir") || (folded.has("objects") && folded.has("refs"));
}
