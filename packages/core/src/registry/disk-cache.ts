import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { readRegularFile, writeAtomic } from "../internal/files.ts";
import { zlib } from "../internal/lazy-builtins.ts";
import type { ScanCache } from "../sources/skill-source.ts";
import { decodeIndex, encodeIndex } from "./encode-index.ts";

/** `$XDG_CACHE_HOME/skillwright`, or the like. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CACHE_HOME"] ?? "";
  // A relative one would lead into whatever project is open.
  const folder = isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".cache");
  return join(folder, "skillwright");
}

const CACHE = { maxBytes: 256 * 1024 * 1024, follow: true };

/**
 * Keeps what was found below each root in one file per root. A file that is missing, damaged, of
 * another version or not writable only costs time.
 */
export function diskCache(directory: string): ScanCache {
  const fileOf = (key: string) => {
    const [root = ""] = key.split("\n", 1);
    return join(
      directory,
      `${basename(root).slice(0, 100)}-${zlib().crc32(key).toString(16)}.index`,
    );
  };
  return {
    read(key) {
      try {
        return Promise.resolve(decodeIndex(key, readRegularFile(fileOf(key), CACHE)));
      } catch {
        return Promise.resolve(undefined);
      }
    },
    write(key, index) {
      try {
        writeAtomic(fileOf(key), encodeIndex(key, index));
      } catch {
        // Without a cache the next scan reads the files again.
      }
      return Promise.resolve();
    },
  };
}
