import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A file that a script left for the user. */
export interface OutputFile {
  /** Where it is on this machine. */
  readonly path: string;
  readonly bytes: number;
}

const MAX_FILES = 1000;

/** The regular files below a folder, by name; only those that came or changed since, in milliseconds. */
export function outputFiles(folder: string, since = 0): readonly OutputFile[] {
  const found: OutputFile[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) folders.push(path);
      // A script can set other times, but not this one.
      else if (stats?.isFile() === true && stats.ctimeMs >= since) {
        found.push({ path, bytes: stats.size });
      }
      if (found.length >= MAX_FILES) return found;
    }
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
