import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export type PlainFile =
  | { readonly ok: true; readonly descriptor: number; readonly isExecutable: boolean }
  | { readonly ok: false; readonly problem: string };

/** Not every platform has every flag. */
const FLAGS: Readonly<Record<string, number | undefined>> = { ...constants };
const READ = constants.O_RDONLY | (FLAGS["O_NOFOLLOW"] ?? 0) | (FLAGS["O_NONBLOCK"] ?? 0);

/**
 * Opens a regular file below a real path, and no other: what was opened is looked at, not what was
 * named, since a folder on the way may have become a link. The caller closes the descriptor.
 */
export function openPlainFile(root: string, path: string): PlainFile {
  const file = join(root, ...path.split("/"));
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, READ);
    const stats = fstatSync(descriptor);
    if (stats.isFile() && openedPath(descriptor, file) === file) {
      return { ok: true, descriptor, isExecutable: (stats.mode & 0o100) !== 0 };
    }
    closeSync(descriptor);
    return { ok: false, problem: "is not the file that was listed" };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { ok: false, problem: `cannot be read (${code})` };
  }
}

/** As the kernel says; where it does not, by the folder as it is after the opening. */
function openedPath(descriptor: number, file: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return realpathSync.native(dirname(file)) === dirname(file) ? file : "";
  }
}
