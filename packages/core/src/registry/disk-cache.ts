import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { readRegularFile, writeAtomic } from "../internal/files.ts";
import { zlib } from "../internal/lazy-builtins.ts";
import type { FolderIndex, ScanCache } from "../sources/skill-source.ts";
import { decodeIndex, encodeIndex } from "./encode-index.ts";

/** `$XDG_CACHE_HOME/skillwright`, or the like. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CACHE_HOME"] ?? "";
  // A relative one would lead into whatever project is open.
  const folder = isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".cache");
  return join(folder, "skillwright");
}

const CACHE = { maxBytes: 512 * 1024 * 1024, follow: true };

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

/** Remembers within the registry, in front of a slower cache; without one, within the process. */
export function memoryCache(behind: ScanCache = processCache): ScanCache {
  const indexes = new Map<string, FolderIndex>();
  return {
    async read(key) {
      const index = indexes.get(key) ?? (await behind.read(key));
      if (index !== undefined) indexes.set(key, index);
      return index;
    },
    async write(key, index) {
      indexes.set(key, index);
      await behind.write(key, index);
    },
  };
}

const known = new Map<string, WeakRef<FolderIndex>>();
const forgotten = new FinalizationRegistry((key: string) => {
  if (known.get(key)?.deref() === undefined) known.delete(key);
});

/** What one registry has read another need not, as long as the first is in use. */
const processCache: ScanCache = {
  read: (key) => Promise.resolve(known.get(key)?.deref()),
  write(key, index) {
    known.set(key, new WeakRef(index));
    forgotten.register(index, key);
    return Promise.resolve();
  },
};
