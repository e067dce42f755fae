import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileStore } from "@skillwright/agent/internal";
import { makeFolder, readRegularFile, writeAtomic } from "@skillwright/core/internal";
import { type CatalogFigures, figuresOf, type RunFigures } from "./run-figures.ts";

/** What was read of a record, and what showed that it is still the same. */
interface Entry {
  readonly stamp: string;
  /** Null for a run that was cut off before it began. */
  readonly figures: RunFigures | null;
}

export interface RunIndex {
  readonly runs: readonly (readonly [runId: string, figures: RunFigures])[];
  readonly catalogs: ReadonlyMap<string, CatalogFigures>;
  /** Records that could not be read at all. */
  readonly unreadable: number;
  /** How many records were read now. The others were in the index. */
  readonly read: number;
}

/** Changes with the meaning of `RunFigures`. */
const VERSION = 1;
const MAX_INDEX_BYTES = 512 * 1024 * 1024;
const MAX_RECORD_BYTES = 512 * 1024 * 1024;

/**
 * The figures of all runs of a store. What was read is kept in a file below `cacheDirectory`, so that next
 * time only new and changed records are read. An index that is damaged, or of another version, is made anew.
 */
export async function readRunIndex(store: FileStore, cacheDirectory: string): Promise<RunIndex> {
  const ids = await store.list();
  const folder = dirname(store.folderOf(ids[0] ?? "none") ?? "");
  const file = join(cacheDirectory, "stats", `${digestOf(folder).slice(0, 32)}.jsonl`);
  const known = ids.length === 0 ? undefined : readIndex(file);
  const catalogs = known?.catalogs ?? new Map<string, CatalogFigures>();
  const entries = new Map<string, Entry>();
  let read = 0;
  let unreadable = 0;
  for (const runId of ids) {
    const path = join(folder, runId, "events.jsonl");
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const stamp = `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const before = known?.entries.get(runId);
    if (before?.stamp === stamp) {
      entries.set(runId, before);
      continue;
    }
    read++;
    try {
      const text = readRegularFile(path, { maxBytes: MAX_RECORD_BYTES }).toString("utf8");
      entries.set(runId, { stamp, figures: figuresOf(text, catalogs) ?? null });
    } catch {
      unreadable++;
    }
  }
  if (read > 0 || known === undefined || known.entries.size !== entries.size) {
    writeIndex(file, entries, catalogs);
  }
  const runs = [...entries].flatMap(([runId, { figures }]) =>
    figures === null ? [] : [[runId, figures] as const],
  );
  return { runs, catalogs, unreadable, read };
}

type Kept = Pick<RunIndex, "catalogs"> & {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly catalogs: Map<string, CatalogFigures>;
};

function readIndex(file: string): Kept | undefined {
  try {
    const text = readRegularFile(file, { maxBytes: MAX_INDEX_BYTES }).toString("utf8");
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== headOf(body)) return undefined;
    const [catalogs = "[]", ...lines] = body.split("\n").slice(0, -1);
    const entries = lines.map((line): [string, Entry] => {
      const [runId, stamp, figures] = JSON.parse(line) as [string, string, RunFigures | null];
      return [runId, { stamp, figures }];
    });
    return { catalogs: new Map(JSON.parse(catalogs)), entries: new Map(entries) };
  } catch {
    return undefined;
  }
}

/** Without it the next reading takes longer, and nothing else. */
function writeIndex(
  file: string,
  entries: ReadonlyMap<string, Entry>,
  catalogs: ReadonlyMap<string, CatalogFigures>,
): void {
  const used = new Set([...entries.values()].map(({ figures }) => figures?.catalog));
  const lines = [JSON.stringify([...catalogs].filter(([key]) => used.has(key)))];
  for (const [runId, { stamp, figures }] of entries) {
    lines.push(JSON.stringify([runId, stamp, figures]));
  }
  const body = `${lines.join("\n")}\n`;
  try {
    makeFolder(dirname(file));
    writeAtomic(file, `${headOf(body)}\n${body}`);
  } catch {
    // A cache folder that cannot be written is no reason to show nothing.
  }
}

function headOf(body: string): string {
  return JSON.stringify({ version: VERSION, digest: digestOf(body) });
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
