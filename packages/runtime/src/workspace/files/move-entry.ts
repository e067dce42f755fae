import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { OpenFolder } from "../confinement/opened-folder.ts";
import { errorCode } from "../confinement/workspace-failure.ts";

interface Place {
  readonly folder: OpenFolder;
  readonly name: string;
}

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 1024 * 1024;

/**
 * Moves a file or a link, never what a link stands for, also to another disk. The new name must be
 * free; whoever takes it in between loses against a rename. Throws what the system throws.
 */
export function moveEntry(from: Place, to: Place): void {
  const [source, target] = [from.folder.child(from.name), to.folder.child(to.name)];
  try {
    renameSync(source, target);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    copyEntry(source, target);
    unlinkSync(source);
  }
}

function copyEntry(source: string, target: string): void {
  if (lstatSync(source).isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    return;
  }
  const from = openSync(source, READ);
  try {
    const { mode } = regularFile(from);
    const to = openSync(target, "wx", mode & 0o777);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let count = -1; count !== 0;) {
        count = readSync(from, buffer);
        for (let at = 0; at < count;) at += writeSync(to, buffer, at, count - at);
      }
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

function regularFile(descriptor: number): Stats {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new Error("only regular files can be moved to another disk");
  return stats;
}
