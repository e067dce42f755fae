import { renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { crc32 } from "node:zlib";
import { temporaryPath } from "../directory/temporary-path.ts";
import type { ScanCache } from "../sources/skill-source.ts";
import { decodeIndex, encodeIndex } from "./encode-index.ts";
import { makeFolder, MAX_CACHE_BYTES, readRegularFile } from "./state-file.ts";

/** `$XDG_CACHE_HOME/skillwright`, or the like. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CACHE_HOME"] ?? "";
  // A relative one would lead into whatever project is open.
  const folder = isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".cache");
  return join(folder, "skillwright");
}

/**
 * Keeps what was found below each root in one file per root. A file that is missing, damaged, of
 * another version or not writable only costs time.
 */
export function diskCache(directory: string): ScanCache {
  const fileOf = (key: string) => {
    const [root = ""] = key.split("\n", 1);
    return join(directory, `${basename(root).slice(0, 100)}-${crc32(key).toString(16)}.index`);
  };
  return {
    read(key) {
      try {
        return Promise.resolve(decodeIndex(key, readRegularFile(fileOf(key), MAX_CACHE_BYTES)));
      } catch {
        return Promise.resolve(undefined);
      }
    },
    write(key, index) {
      const temporary = temporaryPath(fileOf(key));
      try {
        makeFolder(directory);
        writeFileSync(temporary, encodeIndex(key, index), { mode: 0o600, flag: "wx" });
        renameSync(temporary, fileOf(key));
      } catch {
        removeIfPossible(temporary);
      }
      return Promise.resolve();
    },
  };
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written there is nothing to remove.
  }
}
