import { basename, dirname, join } from "node:path";

/** A name beside a file that nobody uses, hidden; still to be made with the flag `wx`. */
export function temporaryPath(path: string): string {
  const suffix = Math.random().toString(36).slice(2, 12);
  return join(dirname(path), `.${basename(path)}.${process.pid}${suffix}`);
}
