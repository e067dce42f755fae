import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ageTree, skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { diskCache } from "../index.ts";
import { defaultCacheDirectory, type ScanCache } from "../internal/index.ts";

function world() {
  const folder = temporaryFolder({
    "root/a/SKILL.md": skillText("a", "First one. Use when."),
    "root/org/b/SKILL.md": skillText("b"),
    "root/bad/SKILL.md": "broken",
  });
  const root = join(folder, "root");
  ageTree(root);
  return { root, directory: join(folder, "cache/deep") };
}

/** Opens anew, as another process would; `writes` counts what was worth storing. */
async function open(root: string, directory: string) {
  const disk = diskCache(directory);
  const seen = { writes: 0, known: false };
  const cache: ScanCache = {
    async read(root) {
      const index = await disk.read(root);
      seen.known = index !== undefined;
      return index;
    },
    async write(root, index) {
      seen.writes++;
      await disk.write(root, index);
    },
  };
  const skills = await openSkills({ roots: [root], cache });
  return { ...seen, skills };
}

const fileIn = (directory: string) => join(directory, readdirSync(directory)[0]!);

describe("a warm start", () => {
  it("R-09 knows everything, reads nothing and writes nothing", async () => {
    const { root, directory } = world();
    const cold = await open(root, directory);
    expect([cold.known, cold.writes]).toEqual([false, 1]);
    const warm = await open(root, directory);
    expect([warm.known, warm.writes]).toEqual([true, 0]);
    expect(warm.skills.all).toEqual(cold.skills.all);
    expect(warm.skills.diagnostics()).toEqual(cold.skills.diagnostics());
  });

  it("R-09 reads a file again that was restored in place with the same size and time", async () => {
    const { root, directory } = world();
    await open(root, directory);
    const file = join(root, "a/SKILL.md");
    const { atime, mtime, ino, size } = statSync(file);
    writeFileSync(file, skillText("a", "Other one. Use when."));
    utimesSync(file, atime, mtime);
    expect(statSync(file)).toMatchObject({ ino, size, mtime });
    expect((await open(root, directory)).skills.get("a")?.description).toMatch(/^Other/);
  });

  it("R-09 keeps roots apart", async () => {
    const one = world();
    const two = world();
    writeTree(two.root, { "z/SKILL.md": skillText("z") });
    await open(one.root, one.directory);
    const { known, skills } = await open(two.root, one.directory);
    expect([known, skills.all.length]).toEqual([false, 3]);
    expect(readdirSync(one.directory)).toHaveLength(2);
  });

  it("R-09 writes what only its owner can read, and leaves nothing else behind", async () => {
    const { root, directory } = world();
    await open(root, directory);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(fileIn(directory)).mode & 0o777).toBe(0o600);
  });
});

describe("a damaged index only costs time", () => {
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ["empty", (file) => truncateSync(file, 0)],
    ["cut short", (file) => truncateSync(file, statSync(file).size - 7)],
    ["cut in its first line", (file) => truncateSync(file, 20)],
    ["garbage", (file) => writeFileSync(file, Buffer.from([0, 255, 254, 10, 123, 0, 128]))],
    ["megabytes of garbage", (file) => writeFileSync(file, Buffer.alloc(3_000_000, 0xa5))],
    ["of another version", (file) => edit(file, /^skillwright-index-\d+/, "skillwright-index-0")],
    ["of a later version", (file) => edit(file, /^skillwright-index-\d+/, "skillwright-index-999")],
    ["changed in one letter", (file) => edit(file, "First one", "First two")],
    ["without its checksum", (file) => edit(file, / [0-9a-f]{8}/, "")],
    ["other JSON", (file) => edit(file, /\n[^]*$/, '\n{"folders":[],"skills":7}')],
    ["no JSON", (file) => edit(file, /\n[^]*$/, "\nno JSON")],
  ];

  it.each(damages)("R-09 %s", async (_, damage) => {
    const { root, directory } = world();
    const cold = await open(root, directory);
    damage(fileIn(directory));
    const { known, writes, skills } = await open(root, directory);
    expect([known, writes]).toEqual([false, 1]);
    expect(skills.all).toEqual(cold.skills.all);
    expect(skills.diagnostics()).toEqual(cold.skills.diagnostics());
    expect(await open(root, directory)).toMatchObject({ known: true, writes: 0 });
  });

  it("R-09 an index that is a folder, or a cache that is a file", async () => {
    const { root, directory } = world();
    await open(root, directory);
    const name = readdirSync(directory)[0]!;
    const other = join(directory, "../other");
    mkdirSync(join(other, name), { recursive: true });
    expect((await open(root, other)).skills.all).toHaveLength(2);
    expect(readdirSync(other)).toEqual([name]);
    const file = join(directory, name);
    const before = readFileSync(file);
    expect((await open(root, file)).skills.all).toHaveLength(2);
    expect(readFileSync(file)).toEqual(before);
  });

  it("R-09 an index of another root under this root's name", async () => {
    const { root, directory } = world();
    const other = world();
    await open(root, directory);
    await open(other.root, other.directory);
    writeFileSync(fileIn(directory), readFileSync(fileIn(other.directory)));
    const { known, skills } = await open(root, directory);
    expect([known, skills.get("a")?.path]).toEqual([false, join(root, "a")]);
  });
});

it("R-09 a folder that cannot be written", async () => {
  const { root, directory } = world();
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o500);
  expect((await open(root, directory)).skills.all).toHaveLength(2);
  expect((await open(root, "/dev/null/skillwright")).skills.all).toHaveLength(2);
});

it("R-09 honours XDG_CACHE_HOME, then HOME", () => {
  expect(defaultCacheDirectory({ XDG_CACHE_HOME: "/x", HOME: "/h" })).toBe("/x/skillwright");
  expect(defaultCacheDirectory({ XDG_CACHE_HOME: "", HOME: "/h" })).toBe("/h/.cache/skillwright");
  expect(defaultCacheDirectory({ HOME: "/h" })).toBe("/h/.cache/skillwright");
});

function edit(file: string, pattern: string | RegExp, replacement: string): void {
  const text = readFileSync(file, "utf8");
  const edited = text.replace(pattern, replacement);
  expect(edited).not.toBe(text);
  writeFileSync(file, edited);
}
