import { lstatSync } from "node:fs";
import { readText } from "./read-records.ts";

/** Whether a file of our own is there with just this text. A link is none. */
export function holdsText(file: string, text: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // The size first: what somebody else put there may be of any.
  return (
    stats?.isFile() === true && stats.size === Buffer.byteLength(text) && readText(file) === text
  );
}
