import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { PackFailure } from "../pack-failure.ts";
import { refuse } from "./refuse.ts";

/** Not every platform has every flag. */
const FLAGS: Readonly<Record<string, number | undefined>> = { ...constants };

/** A whole file of at most so many bytes. What is hashed and what is unpacked are then the same. */
export async function readBytes(
  file: string,
  most: number,
): Promise<{ readonly ok: true; readonly bytes: Buffer } | PackFailure> {
  let handle: FileHandle | undefined;
  try {
    // A FIFO would wait for somebody to write.
    handle = await open(file, constants.O_RDONLY | (FLAGS["O_NONBLOCK"] ?? 0));
    const stats = await handle.stat();
    if (!stats.isFile()) return refuse("source-invalid", `${JSON.stringify(file)} is not a file`);
    if (stats.size > most) {
      return refuse("limit-exceeded", `the archive has more than ${most} bytes`);
    }
    const bytes = Buffer.allocUnsafe(stats.size);
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, done);
      if (bytesRead === 0)
        return refuse("archive-invalid", "the archive changed while it was read");
      done += bytesRead;
    }
    return { ok: true, bytes };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return code === "ENOENT" || code === "ENOTDIR"
      ? refuse("source-missing", `there is no file ${JSON.stringify(file)}`)
      : refuse("source-unreachable", `${JSON.stringify(file)} cannot be read (${code})`);
  } finally {
    await handle?.close();
  }
}
