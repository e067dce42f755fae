import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ageTree, skillText, indexedSkills } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { FolderIndex } from "../internal/index.ts";
import { scanRoot } from "./index.ts";

const now = () => BigInt(Date.now()) * 1_000_000n;
const scan = (root: string, index?: FolderIndex, at = now()) =>
  scanRoot(root, { source: "project", index, now: at });

async function agedRoot() {
  const root = temporaryFolder({
    "a/SKILL.md": skillText("a", "First one. Use when."),
    "b/SKILL.md": skillText("b"),
    "org/c/SKILL.md": skillText("c"),
    "bad/SKILL.md": "no frontmatter",
  });
  ageTree(root);
  const { index, read } = await scan(root);
  expect(read).toBe(4);
  return { root, index, file: join(root, "a/SKILL.md") };
}

describe("what an index saves", () => {
  it("R-09 reads no SKILL.md again when nothing changed, broken ones included", async () => {
    const { root, index } = await agedRoot();
    const warm = await scan(root, index);
    expect(warm.read).toBe(0);
    expect(warm.index).toEqual(index);
  });

  it("R-09 an index that went through JSON saves as much", async () => {
    const { root, index } = await agedRoot();
    const stored = structuredClone(index);
    const warm = await scan(root, stored);
    expect([warm.read, JSON.stringify(warm.index)]).toEqual([0, JSON.stringify(index)]);
  });

  it("R-09 notices another size", async () => {
    const { root, index, file } = await agedRoot();
    const { atime, mtime } = statSync(file);
    writeFileSync(file, skillText("a", "Longer than the first one. Use when."));
    utimesSync(file, atime, mtime);
    const warm = await scan(root, index);
    expect(warm.read).toBe(1);
    expect(indexedSkills(warm.index).get("a")?.metadata?.description).toMatch(/^Longer/);
  });

  it("R-09 notices a modification time that differs by a part of a second", async () => {
    const { root, index, file } = await agedRoot();
    const { ino, size } = statSync(file);
    writeFileSync(file, skillText("a", "Other one. Use when."));
    utimesSync(file, 1_700_000_000, 1_700_000_000.000_5);
    expect(statSync(file)).toMatchObject({ ino, size });
    const warm = await scan(root, index);
    expect(warm.read).toBe(1);
    expect(indexedSkills(warm.index).get("a")?.metadata?.description).toBe("Other one. Use when.");
  });

  it("R-09 notices another file of the same size and time renamed over it", async () => {
    const { root, index, file } = await agedRoot();
    const other = join(root, "a/other.md");
    writeFileSync(other, skillText("a", "Other one. Use when."));
    utimesSync(other, statSync(file).atime, statSync(file).mtime);
    renameSync(other, file);
    ageTree(root);
    const warm = await scan(root, index);
    expect(warm.read).toBe(1);
    expect(indexedSkills(warm.index).get("a")?.metadata?.description).toBe("Other one. Use when.");
  });

  it("R-09 notices skills that appear, disappear and move", async () => {
    const { root, index } = await agedRoot();
    rmSync(join(root, "b"), { recursive: true });
    rmSync(join(root, "a/SKILL.md"));
    mkdirSync(join(root, "org/deep/e"), { recursive: true });
    writeFileSync(join(root, "org/deep/e/SKILL.md"), skillText("e"));
    renameSync(join(root, "org/c"), join(root, "c"));
    const warm = await scan(root, index);
    expect([...indexedSkills(warm.index).keys()].toSorted()).toEqual(["bad", "c", "org/deep/e"]);
    expect(warm.diagnostics).toEqual([]);
  });

  it("R-09 notices a SKILL.md that appears in a folder searched before", async () => {
    const { root, index } = await agedRoot();
    writeFileSync(join(root, "org/SKILL.md"), skillText("org"));
    ageTree(root);
    const warm = await scan(root, index);
    expect([...indexedSkills(warm.index).keys()]).toContain("org");
  });
});

describe("clocks", () => {
  it("R-09 reads a file with a time in the future every time", async () => {
    const { root, index, file } = await agedRoot();
    utimesSync(file, Date.now() / 1000 + 86_400, Date.now() / 1000 + 86_400);
    const second = await scan(root, index);
    expect((await scan(root, second.index)).read).toBe(1);
  });

  it("R-09 reads a file written a moment ago again", async () => {
    const { root, index, file } = await agedRoot();
    writeFileSync(file, skillText("a", "Edited now. Use when."));
    const at = statSync(file, { bigint: true }).mtimeNs + 1_000_000n;
    const second = await scan(root, index, at);
    expect((await scan(root, second.index, at + 1_000_000_000n)).read).toBe(1);
  });

  it("R-09 trusts nothing when the clock jumps back behind the files, and recovers", async () => {
    const { root, index } = await agedRoot();
    const past = await scan(root, index, 1_000_000_000n);
    expect([past.read, indexedSkills(past.index).size]).toEqual([4, 4]);
    const back = await scan(root, past.index);
    expect([back.read, (await scan(root, back.index)).read]).toEqual([4, 0]);
  });

  it("R-09 takes a jump forward in its stride", async () => {
    const { root, index } = await agedRoot();
    expect((await scan(root, index, now() * 2n)).read).toBe(0);
  });
});
