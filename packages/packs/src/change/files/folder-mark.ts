import { createHash } from "node:crypto";
import { closeSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SkillwrightError } from "@skillwright/core";
import { openRegular, UnusableFileError, walkDirectory } from "@skillwright/core/internal";
import { standing } from "./plain-path.ts";

const CHUNK_BYTES = 256 * 1024;
/** Deeper than any folder that people make. */
export const MAX_DEPTH = 1000;

/**
 * Fingerprint of a skill's folder, or null if absent. For a folder of plain files it is the
 * `skillDigest`. Unlike that it never fails: a folder that a person made may hold links, pipes and
 * unreadable files, and must be kept and restored all the same. Links are not followed: theirs is
 * `link:` and the target.
 */
export type FolderMark = string | null;

export async function folderMark(path: string, signal?: AbortSignal): Promise<FolderMark> {
  const stats = standing(path);
  if (stats === undefined) return null;
  if (stats.isSymbolicLink()) return `link:${readlinkSync(path)}`;
  if (!stats.isDirectory()) return `file:${hashFile(path)}`;
  const { entries, unreadable, truncated } = await treeOf(path);
  const hash = createHash("sha256");
  for (const [index, { path: name, kind }] of entries.entries()) {
    const file = join(path, name);
    const content = kind === "file" ? hashFile(file) : linkTarget(file, kind);
    hash.update(`${name}\0${content}\n`);
    // Long work lets Ctrl-C through.
    if (index % 64 === 63) {
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  for (const folder of unreadable) hash.update(`${folder}\0unreadable folder\n`);
  if (truncated) hash.update("too deep\n");
  return `sha256:${hash.digest("hex")}`;
}

async function treeOf(folder: string) {
  try {
    return await walkDirectory(folder, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    return { entries: [], unreadable: [""], truncated: false };
  }
}

function linkTarget(file: string, kind: "link" | "special"): string {
  return kind === "link" ? `link:${readlinkSync(file)}` : "special";
}

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

function hashFile(file: string): string {
  let descriptor: number;
  try {
    ({ descriptor } = openRegular(file));
  } catch (error) {
    const isSpecial = error instanceof UnusableFileError && error.reason === "not-regular";
    return isSpecial ? "special" : "unreadable";
  }
  try {
    const hash = createHash("sha256");
    for (;;) {
      const count = readSync(descriptor, buffer, 0, CHUNK_BYTES, null);
      if (count === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}
