import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A file of at most so many bytes; undefined when there is none. Links, devices, larger files and
 * whatever cannot be read become the error that `problem` makes.
 */
export function readRegularFile(
  file: string,
  maxBytes: number,
  problem: (why: string, cause?: unknown) => Error,
): { readonly bytes: Buffer; readonly stats: Stats } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, READ);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw problem((error as Error).message, error);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw problem("it is no regular file");
    if (stats.size > maxBytes) throw problem(`it has more than ${maxBytes} bytes`);
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    for (let count = 1; count > 0 && length < bytes.length; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return { bytes: bytes.subarray(0, length), stats };
  } finally {
    closeSync(descriptor);
  }
}
