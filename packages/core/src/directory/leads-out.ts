import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/**
 * Whether writing to a path could change something outside of a folder: a link on the way leads out
 * of it, or nowhere. The path may end in folders that do not exist yet.
 */
export async function leadsOut(folder: string, path: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => undefined);
  // Below a folder that does not exist yet there is no link.
  if (real === undefined) return !isBelow(resolve(folder), resolve(path));
  for (let current = resolve(path); ; current = dirname(current)) {
    const stats = await lstat(current).catch(() => undefined);
    if (stats === undefined && current !== dirname(current)) continue;
    const found = await realpath(current).catch(() => undefined);
    return found === undefined || !isBelow(real, found);
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}
