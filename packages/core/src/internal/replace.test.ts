import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  quoteName,
  quoteNames,
  replaceAtomic,
  syncFolder,
  temporaryPath,
  writeNew,
} from "@skillwright/core/internal";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

it("K-02 clears away what a killed attempt left under the same temporary name", async () => {
  const folder = temporaryFolder({ file: "old", outside: "kept" });
  const [file, temporary] = [join(folder, "file"), join(folder, "file.1")];
  symlinkSync(join(folder, "outside"), temporary);
  const write = async (path: string) => writeNew(path, "new");
  await replaceAtomic(file, write, { temporary, flush: true });
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(readFileSync(join(folder, "outside"), "utf8")).toBe("kept");
  expect(readdirSync(folder).sort()).toEqual(["file", "outside"]);
});

it("K-02 leaves the old file and nothing else when writing fails", async () => {
  const folder = temporaryFolder({ file: "old" });
  const temporary = join(folder, "file.1");
  const write = async (path: string) => {
    writeFileSync(path, "half");
    throw new Error("no");
  };
  await expect(replaceAtomic(join(folder, "file"), write, { temporary })).rejects.toThrow("no");
  expect(readFileSync(join(folder, "file"), "utf8")).toBe("old");
  expect(existsSync(temporary)).toBe(false);
});

it("K-02 a temporary name fits where the name of the file does", () => {
  for (const character of ["a", "ü", "漢", "😀"]) {
    const name = character.repeat(Math.floor(255 / Buffer.byteLength(character)));
    const temporary = temporaryPath(join("/somewhere", name));
    expect(Buffer.byteLength(basename(temporary))).toBeLessThanOrEqual(255);
    expect(dirname(temporary)).toBe("/somewhere");
  }
});

it("K-02 syncing a folder that is gone is not an error, other failures are", () => {
  const folder = temporaryFolder({ file: "x" });
  expect(() => syncFolder(join(folder, "gone"))).not.toThrow();
  expect(() => syncFolder(join(folder, "file", "below"))).toThrow("ENOTDIR");
});

it("K-05 a name in a message is quoted, short and shows what is hidden", () => {
  expect(quoteName('a"b\u001b\u202e\u200b\n')).toBe('"a\\"b\\u001b\\u{202e}\\u{200b}\\n"');
  expect(quoteName("x".repeat(500))).toBe(`"${"x".repeat(119)}…"`);
  expect(quoteNames(["a", "b"])).toBe('"a", "b"');
  expect(quoteNames(["a", "b", "c"], 2)).toBe('"a", "b" and 1 more');
});
