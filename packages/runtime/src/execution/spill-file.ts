import { CREATE_FLAGS, makeFolder } from "@skillwright/core/internal";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Enough for every real script; a flood ends here. */
const MAX_SPILL_BYTES = 16 * 1024 * 1024;

/**
 * A file for the full output of one stream, made when there is some. Gives up at its cap, and when
 * the disk does: the output that is kept in memory does not depend on it.
 */
export class SpillFile {
  readonly #file: string;
  #descriptor: number | undefined;
  #left: number;

  constructor(directory: string, name: string, cap = MAX_SPILL_BYTES) {
    makeFolder(directory);
    this.#file = join(directory, name);
    this.#left = cap;
  }

  /** False when nothing more will be taken. */
  write(text: string): boolean {
    const bytes = Buffer.from(text);
    const part = bytes.subarray(0, this.#left);
    this.#left -= part.length;
    try {
      this.#descriptor ??= openSync(this.#file, CREATE_FLAGS, 0o600);
      for (let at = 0; at < part.length;) at += writeSync(this.#descriptor, part, at);
    } catch {
      return false;
    }
    return this.#left > 0;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
