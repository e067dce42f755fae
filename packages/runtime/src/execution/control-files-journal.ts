import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WritablePlaces } from "./control-files.ts";
import { refuseNewControlFiles } from "./refuse-new-control-files.ts";

interface Journal {
  readonly places: WritablePlaces;
  /** No script of the run lived longer. */
  readonly until: number;
}

const JOURNAL = "control-files.json";
/** Between the end of the time and the end of the script. */
const GRACE_MS = 30_000;

/** Remembers, in a run's own folder, what a script must not make or replace. */
export function journalControlFiles(
  directory: string,
  places: WritablePlaces,
  timeoutMs: number,
): void {
  if (places.writable.length === 0) return;
  const journal: Journal = { places, until: Date.now() + timeoutMs + GRACE_MS };
  writeFileSync(join(directory, JOURNAL), JSON.stringify(journal));
}

/**
 * Moves aside what the script of a run left whose process was killed. What came into being later
 * is the user's; a script can set every time of a file but this one.
 */
export function refuseLeftControlFiles(directory: string): void {
  try {
    const { places, until } = JSON.parse(readFileSync(join(directory, JOURNAL), "utf8")) as Journal;
    const isOfRun = (path: string) => lstatSync(path).birthtimeMs <= until;
    refuseNewControlFiles(places, "left", isOfRun);
  } catch {
    // There is no journal, or what it names can no longer be moved.
  }
}
