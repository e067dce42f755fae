import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { temporaryPath } from "../directory/temporary-path.ts";
import { makeFolder, MAX_CACHE_BYTES, readRegularFile } from "../registry/state-file.ts";
import type { SearchStore } from "./skill-search.ts";

/** Keeps search indexes in the folder of `diskCache`. What cannot be read or written costs time. */
export function diskSearchStore(directory: string): SearchStore {
  const fileOf = (key: string) => join(directory, `${crc32(key).toString(16)}.search`);
  return {
    read(key) {
      try {
        return readRegularFile(fileOf(key), MAX_CACHE_BYTES);
      } catch {
        return undefined;
      }
    },
    write(key, bytes) {
      const temporary = temporaryPath(fileOf(key));
      try {
        makeFolder(directory);
        writeFileSync(temporary, bytes, { mode: 0o600, flag: "wx" });
        renameSync(temporary, fileOf(key));
      } catch {
        rmSync(temporary, { force: true });
      }
    },
  };
}
