import type { Slot } from "./usage.ts";

/** Whether a path can be what is documented in this place. */
export function fitsSlot({ name, extension }: Slot, path: string): boolean {
  return isOfKind(name, path) && isSameClass(extension, path);
}

/** A folder has no ending, and a file no slash at its end. */
function isOfKind(name: string, path: string): boolean {
  if (/\b(?:folders?|dir|director(?:y|ies))\b|目录|文件夹/.test(name)) {
    return /\bfiles?\b/.test(name) || !/\.[a-z][a-z0-9]{0,9}$/i.test(path);
  }
  return !path.endsWith("/") || !/\bfiles?\b|文件/.test(name);
}

/** Endings that stand for the same sort of thing: where one is documented, another will do. */
const CLASSES: readonly RegExp[] = [
  /^(?:svg|png|jpe?g|gif|webp|pdf)$/i,
  /^(?:md|markdown|txt|html?|rst|docx?)$/i,
  /^(?:csv|tsv|jsonl?|ndjson|ya?ml|xlsx?)$/i,
];

function isSameClass(documented: string | undefined, path: string): boolean {
  const given = /\.([a-z][a-z0-9]{0,9})$/i.exec(path)?.[1];
  if (documented === undefined || given === undefined) return true;
  const one = CLASSES.findIndex((pattern) => pattern.test(documented));
  const other = CLASSES.findIndex((pattern) => pattern.test(given));
  return one < 0 || other < 0 || one === other;
}
