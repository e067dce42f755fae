import { lstatSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

/**
 * Whether a path, counted from the project, is outside of it by real path. Of a folder that is not
 * there yet, what is there of its way counts. A link that leads nowhere could lead anywhere later.
 */
export function leadsOut(project: string, path: string): boolean {
  const realProject = realPath(project) ?? resolve(project);
  for (let folder = resolve(project, path); ; folder = dirname(folder)) {
    const real = realPath(folder);
    if (real !== undefined) return real !== realProject && !real.startsWith(prefixOf(realProject));
    if (folder === dirname(folder) || mayBeThere(folder)) return true;
  }
}

function prefixOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
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
