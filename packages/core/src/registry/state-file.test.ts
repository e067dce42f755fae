import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { defaultStateDirectory, diskCache } from "../index.ts";
import { defaultCacheDirectory } from "../internal/index.ts";
import { readStateFile } from "./index.ts";

const hasFifos = spawnSync("mkfifo", ["--version"]).status === 0;

describe("where state and cache are", () => {
  it("R-09 R-12 a relative folder in the environment is passed over", () => {
    const env = { HOME: "/home/a", XDG_STATE_HOME: "state", XDG_CACHE_HOME: "./cache" };
    expect(defaultStateDirectory(env)).toBe("/home/a/.local/state/skillwright");
    expect(defaultCacheDirectory(env)).toBe("/home/a/.cache/skillwright");
    expect(defaultStateDirectory({ XDG_STATE_HOME: "/state" })).toBe("/state/skillwright");
    expect(defaultCacheDirectory({ XDG_CACHE_HOME: "/cache" })).toBe("/cache/skillwright");
  });
});

describe("a cache where nothing can be made", () => {
  it.skipIf(!existsSync("/proc/self"))(
    "R-09 only costs time, as in /proc (skipped without one)",
    async () => {
      const cache = diskCache("/proc/x/skillwright");
      await cache.write("/root", { source: "project", root: "/root", folders: new Map() });
      expect(await cache.read("/root")).toBeUndefined();
    },
  );
});

describe("readStateFile", () => {
  it.each(["{", "[]", '"a"', '{ "version": 9 }'])("R-12 says that %j is damaged", (text) => {
    const file = join(temporaryFolder({ "a.json": text }), "a.json");
    expect(() => readStateFile(file, 1)).toThrow(
      expect.objectContaining({ name: "StateFileError", code: "damaged" }) as Error,
    );
  });

  it.skipIf(!hasFifos)("R-09 R-12 does not wait for a FIFO (skipped without mkfifo)", async () => {
    const folder = temporaryFolder();
    spawnSync("mkfifo", [join(folder, "a.json")]);
    expect(() => readStateFile(join(folder, "a.json"), 1)).toThrow("not a regular file");
    const cache = diskCache(join(folder, "cache"));
    await cache.write("/root", { source: "project", root: "/root", folders: new Map() });
    const { stdout } = spawnSync("ls", [join(folder, "cache")], { encoding: "utf8" });
    const file = join(folder, "cache", stdout.trim());
    expect(existsSync(file)).toBe(true);
    spawnSync("rm", [file]);
    spawnSync("mkfifo", [file]);
    expect(await cache.read("/root")).toBeUndefined();
  });

  it("R-12 knows nothing where there is no file", () => {
    const folder = temporaryFolder({ file: "" });
    expect(readStateFile(join(folder, "none.json"), 1)).toBeUndefined();
    expect(readStateFile(join(folder, "file/none.json"), 1)).toBeUndefined();
    mkdirSync(join(folder, "folder.json"));
    writeFileSync(join(folder, "ok.json"), '{ "a": 1 }');
    expect(() => readStateFile(join(folder, "folder.json"), 1)).toThrow("not a regular file");
    expect(readStateFile(join(folder, "ok.json"), 1)).toEqual({ a: 1 });
  });
});
