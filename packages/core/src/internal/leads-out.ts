import { lstatSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

/**
 * Whether a path, relative to a folder or absolute, is really outside of it. Of a path that does not
 * exist yet, the part that does counts. A link that leads nowhere could lead anywhere later.
 */
export function leadsOut(folder: string, path: string): boolean {
  const real = realPath(folder);
  // Below a folder that does not exist yet there is no link.
  if (real === undefined)
    return mayBeThere(folder) || !isBelow(resolve(folder), resolve(folder, path));
  if (resolve(folder, path) === resolve(folder)) return false;
  for (let place = resolve(folder, path); ; place = dirname(place)) {
    const found = realPath(place);
    if (found !== undefined) return !isBelow(real, found);
    if (place === dirname(place) || mayBeThere(place)) return true;
  }
}

/** Whether an absolute path without `..` is a folder or lies in it. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file there is nothing; what may not be looked at may be anything.
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}
