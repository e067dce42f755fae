import { errorCode, CREATE_FLAGS, openRegular } from "@skillwright/core/internal";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { OpenFolder } from "../confinement/opened-folder.ts";

interface Place {
  readonly folder: OpenFolder;
  readonly name: string;
}

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
  const { descriptor: from, stats } = openRegular(source);
  try {
    const to = openSync(target, CREATE_FLAGS, stats.mode & 0o777);
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
