import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { RootRefusal } from "../root-refusal.ts";

/** Far more than a lock of the largest root. */
const MAX_BYTES = 64 * 1024 * 1024;
const { O_NOFOLLOW, O_NONBLOCK } = constants as Readonly<Record<string, number | undefined>>;
const FLAGS = constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/** The text of a regular file that is no link; undefined when there is none. */
export function readPlainFile(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP" || code === "EMLINK") throw new RootRefusal(`${file} is a link`);
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new RootRefusal(`${file} is not a regular file`);
    if (stats.size > MAX_BYTES) throw new RootRefusal(`${file} is too large`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
