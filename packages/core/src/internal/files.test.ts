import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  makeFolder,
  placeNew,
  readIfPresent,
  readRegularFile,
  replaceAtomic,
  writeAtomic,
  writeNew,
} from "./index.ts";

const unusable = (reason: string) =>
  expect.objectContaining({ name: "UnusableFileError", reason }) as Error;

describe("readRegularFile", () => {
  it("X-05 reads what is there, whole", () => {
    const folder = temporaryFolder({ a: "text", empty: "" });
    expect(readRegularFile(join(folder, "a")).toString()).toBe("text");
    expect(readRegularFile(join(folder, "empty"))).toHaveLength(0);
    expect(readIfPresent(join(folder, "none"))).toBeUndefined();
    expect(readIfPresent(join(folder, "a/none"))).toBeUndefined();
  });

  it("X-05 refuses links unless told to follow them, and never waits for a FIFO", () => {
    const folder = temporaryFolder({ a: "text" });
    symlinkSync("a", join(folder, "link"));
    symlinkSync("/dev/zero", join(folder, "zero"));
    spawnSync("mkfifo", [join(folder, "pipe")]);
    expect(() => readRegularFile(join(folder, "link"))).toThrow(unusable("link"));
    expect(readRegularFile(join(folder, "link"), { follow: true }).toString()).toBe("text");
    for (const name of ["pipe", "zero", "."]) {
      expect(() => readRegularFile(join(folder, name), { follow: true })).toThrow(
        unusable("not-regular"),
      );
    }
  });

  it("X-05 refuses what is too large without reading it, also a file without a true size", () => {
    const folder = temporaryFolder({ a: "12345", huge: "" });
    truncateSync(join(folder, "huge"), 6 * 1024 ** 3);
    expect(readRegularFile(join(folder, "a"), { maxBytes: 5 }).toString()).toBe("12345");
    expect(() => readRegularFile(join(folder, "a"), { maxBytes: 4 })).toThrow(
      unusable("too-large"),
    );
    expect(() => readRegularFile(join(folder, "huge"))).toThrow("huge is larger than 64 MiB");
    if (!existsSync("/proc/self/status")) return;
    expect(readRegularFile("/proc/self/status").length).toBeGreaterThan(100);
    expect(() => readRegularFile("/proc/self/status", { maxBytes: 10 })).toThrow(
      unusable("too-large"),
    );
  });
});

describe("writeAtomic", () => {
  it("X-05 replaces a file or a link, never what the link leads to", () => {
    const folder = temporaryFolder({ target: "kept", a: "old" });
    symlinkSync("target", join(folder, "link"));
    writeAtomic(join(folder, "a"), "new", { flush: true });
    writeAtomic(join(folder, "link"), "new");
    writeAtomic(join(folder, "made/for/it"), "new");
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("kept");
    expect(lstatSync(join(folder, "link")).isFile()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["a", "link", "made", "target"]);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("new");
  });

  it("X-05 gives exactly the permissions asked for", () => {
    const folder = temporaryFolder();
    writeAtomic(join(folder, "own"), "");
    writeAtomic(join(folder, "all"), "", { mode: 0o777 });
    writeAtomic(join(folder, "usual"), "", { mode: "umask" });
    writeFileSync(join(folder, "plain"), "");
    const mode = (name: string) => statSync(join(folder, name)).mode & 0o777;
    expect([mode("own"), mode("all"), mode("usual")]).toEqual([0o600, 0o777, mode("plain")]);
  });

  it("X-05 leaves the old file and nothing else behind when it fails", async () => {
    const folder = temporaryFolder({ a: "old" });
    mkdirSync(join(folder, "in-the-way"));
    expect(() => writeAtomic(join(folder, "in-the-way"), "new")).toThrow("EISDIR");
    await expect(
      replaceAtomic(join(folder, "a"), async (temporary) => {
        writeFileSync(temporary, "half");
        throw new Error("stopped");
      }),
    ).rejects.toThrow("stopped");
    expect(readdirSync(folder).sort()).toEqual(["a", "in-the-way"]);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("old");
  });

  it("X-05 a new file is never written into something that is there", () => {
    const folder = temporaryFolder({ a: "old" });
    symlinkSync("nowhere", join(folder, "link"));
    expect(() => writeNew(join(folder, "a"), "new")).toThrow("EEXIST");
    expect(() => writeNew(join(folder, "link"), "new")).toThrow("EEXIST");
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});

describe("makeFolder", () => {
  it("R-09 makes all of them", () => {
    const folder = join(temporaryFolder(), "a/b/c");
    makeFolder(folder);
    makeFolder(folder);
    expect(existsSync(folder)).toBe(true);
  });

  it("R-09 throws where a file is in the way", () => {
    const folder = temporaryFolder({ file: "" });
    expect(() => makeFolder(join(folder, "file/inner"))).toThrow("EEXIST");
  });

  it.skipIf(!existsSync("/proc/self"))(
    "R-09 returns where nothing can be made, as in /proc (skipped without one)",
    () => {
      expect(() => makeFolder("/proc/x/skillwright")).toThrow("ENOENT");
    },
  );
});
describe("placeNew", () => {
  it("C-01 makes a whole file in new folders and leaves nothing else", () => {
    const folder = temporaryFolder();
    expect(placeNew(join(folder, "a/b.txt"), "text")).toBe(true);
    expect(readFileSync(join(folder, "a/b.txt"), "utf8")).toBe("text");
    expect(readdirSync(join(folder, "a"))).toEqual(["b.txt"]);
  });

  it("C-01 replaces neither a file nor a link, dangling or not", () => {
    const folder = temporaryFolder({ "file.txt": "old" });
    symlinkSync("nowhere", join(folder, "link"));
    expect(placeNew(join(folder, "file.txt"), "new")).toBe(false);
    expect(placeNew(join(folder, "link"), "new")).toBe(false);
    expect(readFileSync(join(folder, "file.txt"), "utf8")).toBe("old");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["file.txt", "link"]);
  });
});
