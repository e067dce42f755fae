import { basename, extname } from "node:path";
import { BY_EXTENSION } from "./interpreter-kind.ts";

/**
 * Whether a file of this name may be a script. One without an ending may have a first line that says
 * so, which is seen only when it is to run. Opens nothing.
 */
export function canInterpret(path: string): boolean {
  const extension = extname(path).toLowerCase();
  if (extension === "") return !basename(path).startsWith(".");
  return BY_EXTENSION.has(extension);
}
