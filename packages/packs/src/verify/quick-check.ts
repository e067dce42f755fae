import { hash } from "node:crypto";
import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { READ_FLAGS } from "@skillwright/core/internal";

/** Times of files have steps, within which a change cannot be seen. */
const CLOCK_STEP_MILLISECONDS = 50;
const BUFFER_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * Finds out with the fewest calls that skills are what the lock says. It answers yes or "don't
 * know": whatever is unusual – a difference, a link, a large file, a folder that changed just now –
 * is left to `compareFolder`, which explains.
 *
 * Files are opened by name, so a folder may have been swapped for a link before that. To do so
 * changes the folder it lies in, whose time nobody can set back. Hence a yes counts only when every
 * folder that holds others was at rest since before the look began, which is looked at afterwards.
 */
export class QuickCheck {
  readonly #started: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);

  constructor(now: number = Date.now()) {
    this.#started = now;
  }

  /** Whether the files below a folder are exactly these. The folder must be a real path. */
  isExactly(realDirectory: string, files: Readonly<Record<string, string>>): boolean {
    try {
      const matched = this.#matchedFiles(realDirectory, "", files, 0);
      return matched === Object.keys(files).length;
    } catch {
      return false;
    }
  }

  /** Whether a folder is one, and its entries are those it had when the look began. */
  isAtRest(folder: string): boolean {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) return false;
    return stats.ctimeMs < this.#started - CLOCK_STEP_MILLISECONDS;
  }

  /** How many files were found as expected; NaN when there is anything else. */
  #matchedFiles(
    folder: string,
    prefix: string,
    files: Readonly<Record<string, string>>,
    depth: number,
  ): number {
    let matched = 0;
    // Files are not opened through links, except on Windows, so only folders below could lead elsewhere.
    let mayMislead = process.platform === "win32";
    const children: Dirent[] = readdirSync(folder, { withFileTypes: true });
    for (const child of children) {
      const { name } = child;
      const path = prefix + name;
      if (child.isDirectory() && depth < MAX_DEPTH) {
        mayMislead = true;
        matched += this.#matchedFiles(`${folder}/${name}`, `${path}/`, files, depth + 1);
      } else {
        const isSame = child.isFile() && this.#hashOf(`${folder}/${name}`) === files[path];
        if (!isSame) return Number.NaN;
        matched++;
      }
    }
    return mayMislead && !this.isAtRest(folder) ? Number.NaN : matched;
  }

  /** Empty when the file is too large for one read. */
  #hashOf(file: string): string {
    const descriptor = openSync(file, READ_FLAGS);
    try {
      const read = readSync(descriptor, this.#buffer, 0, BUFFER_BYTES, null);
      return read < BUFFER_BYTES ? hash("sha256", this.#buffer.subarray(0, read), "hex") : "";
    } finally {
      closeSync(descriptor);
    }
  }
}
