import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { placeFiles } from "./index.ts";

function output(folder: string, path: string, text = path) {
  return { file: join(folder, path), content: Buffer.from(text) };
}

describe("K-02 files appear by rename", () => {
  test("K-02 and nothing else stays", async () => {
    const folder = temporaryFolder();
    const outputs = [output(folder, "a/one"), output(folder, "two")];
    expect(await placeFiles(outputs)).toEqual({ ok: true, unchanged: false });
    expect(readFileSync(join(folder, "a/one"), "utf8")).toBe("a/one");
    expect(await placeFiles(outputs)).toEqual({ ok: true, unchanged: true });
    expect(new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }))).toEqual(
      new Set(["a", "a/one", "two"]),
    );
  });

  test("K-02 none when one of them is taken", async () => {
    const folder = temporaryFolder({ two: "other" });
    const outputs = [output(folder, "one"), output(folder, "two")];
    expect(await placeFiles(outputs)).toMatchObject({ ok: false, code: "name-taken" });
    expect(readdirSync(folder)).toEqual(["two"]);
    expect(await placeFiles(outputs, true)).toEqual({ ok: true, unchanged: false });
    expect(readFileSync(join(folder, "two"), "utf8")).toBe("two");
  });

  test("K-02 none when one cannot be written", async () => {
    const folder = temporaryFolder({ plain: "x" });
    const outputs = [output(folder, "one"), output(folder, "plain/two")];
    expect(await placeFiles(outputs)).toMatchObject({ ok: false, code: "root-unwritable" });
    expect(readdirSync(folder)).toEqual(["plain"]);
  });

  test("K-02 and a folder is never replaced", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "one"));
    writeFileSync(join(folder, "one/kept"), "kept");
    const placed = await placeFiles([output(folder, "one")], true);
    expect(placed).toMatchObject({ ok: false, code: "name-taken" });
    expect(readFileSync(join(folder, "one/kept"), "utf8")).toBe("kept");
  });

  test("K-02 once, when several come at the same time", async () => {
    const folder = temporaryFolder();
    const texts = Array.from({ length: 20 }, (_, i) => `content ${i}`);
    const all = await Promise.all(texts.map((text) => placeFiles([output(folder, "one", text)])));
    const winners = texts.filter((_, i) => all[i]!.ok);
    expect(winners).toHaveLength(1);
    expect(readFileSync(join(folder, "one"), "utf8")).toBe(winners[0]);
    expect(readdirSync(folder)).toEqual(["one"]);
  });
});
