import { type BigIntStats, lstatSync } from "node:fs";
import { join } from "node:path";

/** Times of files have steps; within one of them two changes look like one. */
export const CLOCK_STEP_MILLISECONDS = 50;
/** A time this far ahead comes from the clock of another machine and says nothing here. */
const CLOCK_AHEAD_MILLISECONDS = 1000;

/** What the names on the way to a file stand for, from the skill's folder down. */
export type FoldersOnTheWay = readonly BigIntStats[];

/**
 * Looks at each folder between a skill's folder and a file, as far as there are such and they may be
 * looked at; undefined when one of them is a link.
 */
export function inspectFolders(
  realDirectory: string,
  segments: readonly string[],
): FoldersOnTheWay | undefined {
  const folders: BigIntStats[] = [];
  let current = realDirectory;
  for (const segment of ["", ...segments.slice(0, -1)]) {
    current = join(current, segment);
    const stats = statsOf(current);
    if (stats === undefined) break;
    if (stats.isSymbolicLink()) return undefined;
    folders.push(stats);
  }
  return folders;
}

/**
 * True when no folder can have been swapped between two looks: to swap one changes the time of the
 * folder it lies in, which nobody can set back. A folder that changed just now could change again
 * within the same step of the clock, so it has to come to rest first. The last folder holds only
 * the file, and may change.
 */
export function wereAtRest(
  before: FoldersOnTheWay,
  after: FoldersOnTheWay | undefined,
  now: number,
): boolean {
  if (after?.length !== before.length) return false;
  return before.every((folder, i) => {
    const same = after[i];
    if (same?.ino !== folder.ino || same.dev !== folder.dev) return false;
    if (i === before.length - 1) return true;
    return same.ctimeNs === folder.ctimeNs && isSettled(Number(folder.ctimeMs), now);
  });
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSettled(changed: number, now: number): boolean {
  return changed < now - CLOCK_STEP_MILLISECONDS || changed > now + CLOCK_AHEAD_MILLISECONDS;
}
