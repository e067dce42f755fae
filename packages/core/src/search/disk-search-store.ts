import { join } from "node:path";
import { readRegularFile, writeAtomic } from "../internal/files.ts";
import type { SearchStore } from "./skill-search.ts";
import { zlib } from "../internal/lazy-builtins.ts";

const MAX_BYTES = 1024 * 1024 * 1024;

/** Keeps search indexes in the folder of `diskCache`. What cannot be read or written costs time. */
export function diskSearchStore(directory: string): SearchStore {
  const fileOf = (key: string) => join(directory, `${zlib().crc32(key).toString(16)}.search`);
  return {
    read(key) {
      try {
        return readRegularFile(fileOf(key), { maxBytes: MAX_BYTES, follow: true });
      } catch {
        return undefined;
      }
    },
    write(key, bytes) {
      try {
        writeAtomic(fileOf(key), bytes);
      } catch {
        // Without a stored index the next search builds it again.
      }
    },
  };
}
