import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The real path of what is there or will be: of the nearest folder that is, and the rest by name. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}
