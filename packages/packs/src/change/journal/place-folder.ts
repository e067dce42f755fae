import { renameSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ChangeStep, OnStep } from "../change-step.ts";
import type { JournalMove } from "./journal.ts";
import { makePlainFolder, plainFolder, standing } from "../files/plain-path.ts";
import type { RootContext } from "../root-context.ts";

/** Where a change keeps what stood in a skill's place. */
export function backupFolder(id: string): readonly string[] {
  return ["backups", id, "folders"];
}

/**
 * Carries out one move, whatever of it has been done already: what stands at the place goes to the
 * backup, what is staged comes there. Returns the folders whose names it changed.
 *
 * Between the two renames nothing stands at the place. Linux could exchange two folders in one step
 * (`renameat2` with `RENAME_EXCHANGE`), but Node cannot ask for it, so this gap cannot be closed: it
 * is two system calls long, and whoever is killed in it leaves the second to the next who opens the
 * root. Everything that may take time or fail is done before the first.
 */
export async function placeFolder(
  context: RootContext,
  id: string,
  { folder, staged }: JournalMove,
): Promise<readonly string[]> {
  const { root, state, onStep } = context;
  const segments = folder.split("/");
  const name = segments.pop()!;
  const source = staged === undefined ? undefined : stagedSource(state.folder, staged);
  if (source !== undefined && standing(source) === undefined) return [];
  const parent =
    source === undefined ? plainFolder(root, segments) : makePlainFolder(root, segments);
  if (parent === undefined) return [];
  const place = join(parent, name);
  const keep = makePlainFolder(state.folder, [...backupFolder(id), ...segments], 0o700);
  const backup = freeBackup(join(keep, name), source !== undefined);
  try {
    if (backup !== undefined && standing(place) !== undefined) {
      // Awaited only if there is anything to wait for: the two renames follow each other at once.
      if (onStep !== undefined) await tell(onStep, "back-up", "before", folder);
      renameSync(place, backup);
      if (onStep !== undefined) await tell(onStep, "back-up", "after", folder);
    }
    if (source === undefined) {
      removeEmpty(root, segments);
      return [keep, parent];
    }
    if (onStep !== undefined) await tell(onStep, "place", "before", folder);
    renameSync(source, place);
  } catch (error) {
    if (source !== undefined) bringBack(place, [backup!, join(keep, name)]);
    throw error;
  }
  if (onStep !== undefined) await tell(onStep, "place", "after", folder);
  return [keep, parent, dirname(source)];
}

function tell(
  onStep: OnStep,
  step: ChangeStep["step"],
  when: ChangeStep["when"],
  subject: string,
): void | Promise<void> {
  return onStep({ step, when, subject });
}

/** The old skill must not be missing until somebody has mended what failed. */
function bringBack(place: string, backups: readonly string[]): void {
  if (standing(place) !== undefined) return;
  const backup = backups.find((path) => standing(path) !== undefined);
  if (backup !== undefined) renameSync(backup, place);
}

/** No segment above the staged folder may be a link; it may be one itself. */
export function stagedSource(stateFolder: string, staged: string): string {
  const segments = staged.split("/");
  const parent = plainFolder(stateFolder, segments.slice(0, -1));
  return join(parent ?? join(stateFolder, ...segments.slice(0, -1)), basename(staged));
}

/**
 * The place in the backup. When it is taken, this move was begun before, and what stands at the
 * skill's place has been made since: beside a staged folder it is kept too, under another name, and
 * where the skill was removed it stays.
 */
function freeBackup(path: string, hasSource: boolean): string | undefined {
  if (standing(path) === undefined) return path;
  if (!hasSource) return undefined;
  for (let number = 1; ; number++) {
    const other = `${path}.later-${number}`;
    if (standing(other) === undefined) return other;
  }
}

/** The folders of a namespace whose last skill went. */
function removeEmpty(root: string, parents: readonly string[]): void {
  for (let count = parents.length; count > 0; count--) {
    try {
      rmdirSync(join(root, ...parents.slice(0, count)));
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") continue;
      if (["ENOTEMPTY", "EEXIST", "EBUSY", "ENOTDIR"].includes(code)) return;
      throw error;
    }
  }
}
