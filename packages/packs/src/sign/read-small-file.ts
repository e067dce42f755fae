import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { PackFailure } from "../pack-failure.ts";

/** The bytes of a plain file, undefined when there is none, or why it cannot be taken. */
export async function readSmallFile(
  file: string,
  most: number,
): Promise<Buffer | undefined | PackFailure> {
  try {
    // A pipe in its place would keep us waiting.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > most) return unreadable(file, "it is not a small file");
      const content = await handle.readFile();
      return content.length > most ? unreadable(file, "it is not a small file") : content;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return error.code === "ENOENT" ? undefined : unreadable(file, error.message);
  }
}

function unreadable(file: string, reason: string): PackFailure {
  const message = `${JSON.stringify(file)} cannot be read: ${reason}`;
  return { ok: false, code: "source-unreachable", message };
}
