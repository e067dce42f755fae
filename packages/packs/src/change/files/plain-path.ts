import { makeFolder } from "@skillwright/core/internal";
import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { RootRefusal } from "../root-refusal.ts";

/** What stands at a path, without following a link; undefined when nothing does. */
export function standing(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/**
 * A folder below another, none of whose segments is a link; undefined when it is missing and not
 * to be made. Whatever a project planted on the way is refused, not followed.
 */
export function plainFolder(base: string, segments: readonly string[]): string | undefined {
  return descend(base, segments, false);
}

/** As `plainFolder`, making what is missing. */
export function makePlainFolder(base: string, segments: readonly string[], mode = 0o777): string {
  return descend(base, segments, true, mode)!;
}

function descend(
  base: string,
  segments: readonly string[],
  isMade: boolean,
  mode?: number,
): string | undefined {
  let folder = base;
  for (const segment of segments) {
    folder = join(folder, segment);
    const stats = isMade ? standingOrMade(folder, mode) : standing(folder);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) {
      throw new RootRefusal(`${folder} is a link`, { hint: "remove the link" });
    } else if (!stats.isDirectory()) {
      throw new RootRefusal(`${folder} is not a folder`, { hint: "move it away" });
    }
  }
  return folder;
}

/** Makes a folder where nothing stands. Another process may do the same at this moment: what it made is looked at like all else. */
function standingOrMade(path: string, mode?: number): Stats {
  const stats = standing(path);
  if (stats !== undefined) return stats;
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return lstatSync(path);
}

/**
 * The real path of a folder at or below a base, made when it is missing. A link on the way is
 * followed as long as it stays within the base: one that leads out may have been planted by whoever
 * wrote the project.
 */
export function makeConfinedFolder(base: string, folder: string): string {
  makeFolder(base, 0o777);
  return descendWithin(base, folder, true)!;
}

/** As `makeConfinedFolder`, but undefined when the folder is missing. */
export function confinedFolder(base: string, folder: string): string | undefined {
  return standing(base) === undefined ? undefined : descendWithin(base, folder, false);
}

function descendWithin(base: string, folder: string, isMade: boolean): string | undefined {
  const below = relative(base, folder);
  if (isAbsolute(below) || below === ".." || below.startsWith(`..${sep}`)) {
    throw new RootRefusal(`${folder} is not below ${base}`);
  }
  const realBase = realpathSync.native(base);
  let current = realBase;
  for (const segment of below.split(sep).filter((name) => name !== "")) {
    const next = join(current, segment);
    const stats = isMade ? standingOrMade(next) : standing(next);
    if (stats === undefined) return undefined;
    current = stats.isSymbolicLink() ? followWithin(realBase, next) : next;
    if (!statSync(current).isDirectory()) throw new RootRefusal(`${next} is not a folder`);
  }
  return current;
}

function followWithin(realBase: string, link: string): string {
  let target: string | undefined;
  try {
    target = realpathSync.native(link);
  } catch {
    // It leads nowhere, or in a circle.
  }
  if (target === realBase || target?.startsWith(join(realBase, sep)) === true) return target;
  const where = target === undefined ? "that leads nowhere" : `that leads out to ${target}`;
  throw new RootRefusal(`${link} is a link ${where}`, {
    hint: "remove the link, or name the folder it leads to as the target",
  });
}
