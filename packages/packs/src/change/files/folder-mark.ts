import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { listTree } from "./list-tree.ts";
import { standing } from "./plain-path.ts";

const CHUNK_BYTES = 256 * 1024;
const { O_NOFOLLOW, O_NONBLOCK } = constants as Readonly<Record<string, number | undefined>>;
const FLAGS = constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/**
 * What stands at the place of a skill, so that it is known again; null for nothing. That of a
 * folder of plain files is its `skillDigest`. Unlike that it never refuses: a folder that a person
 * made may hold links, pipes and files that cannot be read, and must be kept and restored all the
 * same. A link is where it leads to (`link:…`), and is not followed.
 */
export type FolderMark = string | null;

export async function folderMark(path: string, signal?: AbortSignal): Promise<FolderMark> {
  const stats = standing(path);
  if (stats === undefined) return null;
  if (stats.isSymbolicLink()) return `link:${readlinkSync(path)}`;
  if (!stats.isDirectory()) return `file:${hashFile(path)}`;
  const { entries, unreadable } = listTree(path);
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
  return `sha256:${hash.digest("hex")}`;
}

function linkTarget(file: string, kind: "link" | "special"): string {
  return kind === "link" ? `link:${readlinkSync(file)}` : "special";
}

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

function hashFile(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS);
  } catch {
    return "unreadable";
  }
  try {
    if (!fstatSync(descriptor).isFile()) return "special";
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
