import { closeSync, readSync, realpathSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type ConfinedFile, openConfinedSync, readFile, type SkillFiles } from "@skillwright/core";

export type SkillBytes =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string };

const ATTEMPTS = 4;

/**
 * The bytes of one file of a skill, as they are. `path` comes from core's own list of files; no link
 * is followed, no file with a second name read, and no more than `maxBytes`.
 */
export async function readSkillBytes(
  files: SkillFiles,
  path: string,
  maxBytes: number,
): Promise<SkillBytes> {
  if ("inline" in files) return readInline(files, path, maxBytes);
  for (let attempt = 1; ; attempt++) {
    const opened = open(files.directory, path);
    if (opened.ok) return readOpened(opened, maxBytes);
    if (opened.reason !== "changing" || attempt === ATTEMPTS) return refusal(opened.reason);
    await setTimeout(opened.waitMilliseconds ?? 0);
  }
}

function open(directory: string, path: string): ConfinedFile {
  try {
    return openConfinedSync(realpathSync.native(directory), path.split("/"));
  } catch {
    return { ok: false, reason: "missing" };
  }
}

function readOpened(
  { descriptor, stats }: Extract<ConfinedFile, { ok: true }>,
  maxBytes: number,
): SkillBytes {
  try {
    if (stats.nlink > 1) return refusal("a file with a second name");
    if (stats.size > maxBytes) return refusal("too large");
    // One more than there should be shows that it grew.
    const buffer = Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    while (length < buffer.length) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, length);
      if (count === 0) break;
      length += count;
    }
    if (length !== stats.size) return refusal("changing");
    return { ok: true, bytes: buffer.subarray(0, length) };
  } catch {
    return refusal("unreadable");
  } finally {
    closeSync(descriptor);
  }
}

/** Skills that are defined in code hold text only. */
async function readInline(files: SkillFiles, path: string, maxBytes: number): Promise<SkillBytes> {
  const read = await readFile(files, path, { maxBytes });
  if (!read.ok) return refusal(read.code);
  if (read.kind !== "text" || !read.endOfFile) return refusal("too large");
  return { ok: true, bytes: Buffer.from(read.text) };
}

function refusal(reason: string): SkillBytes {
  return { ok: false, reason };
}
