import { closeSync, realpathSync } from "node:fs";
import {
  readFile,
  type SkillFiles,
  type ConfinedFile,
  openSettled,
  readUpTo,
} from "@skillwright/core/internal";

export type SkillBytes =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string };

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
  const root = realFolder(files.directory);
  if (root === undefined) return refusal("missing");
  const opened = await openSettled(root, path.split("/"));
  return opened.ok ? readOpened(opened, maxBytes) : refusal(opened.reason);
}

function realFolder(directory: string): string | undefined {
  try {
    return realpathSync.native(directory);
  } catch {
    return undefined;
  }
}

function readOpened(
  { descriptor, stats }: Extract<ConfinedFile, { ok: true }>,
  maxBytes: number,
): SkillBytes {
  try {
    if (stats.nlink > 1) return refusal("a file with a second name");
    if (stats.size > maxBytes) return refusal("too large");
    // One byte more than there should be shows that it grew.
    const bytes = readUpTo(descriptor, stats.size + 1, stats.size);
    return bytes.length === stats.size ? { ok: true, bytes } : refusal("changing");
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
