import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { placeNew, writeAtomic } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

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

describe("writeAtomic", () => {
  it("C-01 is private unless the permissions are left to the umask", () => {
    const folder = temporaryFolder();
    writeAtomic(join(folder, "private"), "");
    writeAtomic(join(folder, "shared"), "", { mode: "umask" });
    const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
    expect([modeOf("private"), modeOf("shared")]).toEqual([0o600, 0o666 & ~process.umask()]);
  });
});
