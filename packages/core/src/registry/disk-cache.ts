import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ScanCache } from "../sources/skill-source.ts";
import { decodeIndex, encodeIndex } from "./encode-index.ts";

/** `$XDG_CACHE_HOME/skillwright`, or the like. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_CACHE_HOME"];
  return join(
    base === undefined || base === "" ? join(env["HOME"] ?? homedir(), ".cache") : base,
    "skillwright",
  );
}

/**
 * Keeps what was found below each root in one file per root. A file that is missing, damaged, of
 * another version or not writable only costs time.
 */
export function diskCache(directory: string): ScanCache {
  const fileOf = (root: string) =>
    join(directory, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.index`);
  return {
    read(root) {
      try {
        return Promise.resolve(decodeIndex(root, readFileSync(fileOf(root))));
      } catch {
        return Promise.resolve(undefined);
      }
    },
    async write(root, index) {
      const temporary = `${fileOf(root)}.${randomBytes(6).toString("hex")}`;
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeFile(temporary, encodeIndex(root, index), { mode: 0o600, flag: "wx" });
        await rename(temporary, fileOf(root));
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}
