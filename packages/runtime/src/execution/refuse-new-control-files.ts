import { lstatSync, readlinkSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { NestedControl } from "../workspace/confinement/nested-controls.ts";
import { skillFilesIn } from "../workspace/confinement/skill-files.ts";
import type { WritablePlaces } from "./control-files.ts";
import { executionFailure, type ExecutionFailure } from "./executor.ts";

/**
 * Looks for control files that a run made or replaced. They are renamed, so that nothing reads them
 * and nothing is lost.
 */
export function refuseNewControlFiles(
  { absent, links, nested, skillRoot }: WritablePlaces,
  id: string,
  isOfRun: (path: string) => boolean = () => true,
): ExecutionFailure | undefined {
  const replaced = links.filter(
    ({ path, target }) =>
      hasRealParent(path) && targetOf(path) !== target && (!isThere(path) || isOfRun(path)),
  );
  const swapped = nested.filter(isSwapped).map(({ path }) => path);
  const found = [
    ...absent,
    ...swapped,
    ...(skillRoot === undefined ? [] : skillsIn(skillRoot)),
    ...replaced.map(({ path }) => path),
  ];
  const made = [...new Set(found)].filter((path) => isThere(path) && isOfRun(path));
  // Behind a link lies something that is not the script's, though it led there.
  const moved = made.filter(hasRealParent).map((path) => moveAside(path, id));
  for (const { path, target } of replaced) symlinkSync(target, path);
  const changed = [...new Set([...made, ...replaced.map(({ path }) => path)])];
  if (changed.length === 0) return undefined;
  return executionFailure(
    "control-file-written",
    `the script changed ${changed.join(", ")}, which scripts may not write`,
    `Moved aside: ${moved.join(", ") || "nothing"}. Look at the skill before you trust it again.`,
  );
}

/** The new name is one that no program looks for. */
function moveAside(path: string, id: string): string {
  const aside = `${path}.refused-${process.pid}-${id}`;
  renameSync(path, aside);
  return aside;
}

/** Skills that a script made, in a folder that held none; a link may lead to the user's own. */
function skillsIn(root: string): readonly string[] {
  const stats = lstatSync(root, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true ? [root] : skillFilesIn(root);
}

/** A folder on the way can be moved with what it holds, and another put in its place. */
function isSwapped({ path, ino, dev }: NestedControl): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.ino !== ino || stats.dev !== dev);
}

function hasRealParent(path: string): boolean {
  try {
    return realpathSync(dirname(path)) === dirname(path);
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
