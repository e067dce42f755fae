import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { join } from "node:path";
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
export function standingOrMade(path: string, mode?: number): Stats {
  const stats = standing(path);
  if (stats !== undefined) return stats;
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return lstatSync(path);
}
