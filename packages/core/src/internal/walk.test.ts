import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkillwrightError } from "../index.ts";
import { walkDirectory } from "./index.ts";

let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skillwright-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe("walkDirectory", () => {
  it("F-01 lists every file below a folder, in byte order, with size and mode", async () => {
    await write("b.md", "12345");
    await write("a/z.md", "");
    await write("a.md", "");
    await write("a/b/c.md", "1");
    await write("B.md", "");
    await write("é.md", "");
    await write("\uFFEE.md", "");
    await write("\u{1F600}.md", "");
    await chmod(join(root, "b.md"), 0o751);
    const { entries, truncated } = await walkDirectory(root);
    expect(truncated).toBe(false);
    expect(entries.map(({ path }) => path)).toEqual([
      "B.md",
      "a.md",
      "a/b/c.md",
      "a/z.md",
      "b.md",
      "é.md",
      "\uFFEE.md",
      "\u{1F600}.md",
    ]);
    expect(entries[4]).toEqual({ path: "b.md", kind: "file", size: 5, mode: 0o751, links: 1 });
  });

  it("F-01 does not list folders, empty or not", async () => {
    await mkdir(join(root, "empty/inner"), { recursive: true });
    expect(await walkDirectory(root)).toEqual({ entries: [], truncated: false, unreadable: [] });
  });

  it("F-08 lists links and does not follow them, not even in circles", async () => {
    await write("a/b.md", "");
    await symlink(root, join(root, "a/self"));
    await symlink("/etc", join(root, "etc"));
    await symlink("nowhere", join(root, "dangling"));
    const { entries } = await walkDirectory(root);
    expect(entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "file a/b.md",
      "link a/self",
      "link dangling",
      "link etc",
    ]);
  });

  it("F-08 lists pipes as special", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    const { entries } = await walkDirectory(root);
    expect(entries).toMatchObject([{ path: "pipe", kind: "special" }]);
  });

  it("F-08 walks a folder that is itself a link", async () => {
    await write("real/a.md", "");
    await symlink("real", join(root, "link"));
    const { entries } = await walkDirectory(join(root, "link"));
    expect(entries.map(({ path }) => path)).toEqual(["a.md"]);
  });

  it("F-08 stops at the number of entries it was given, and says so", async () => {
    for (let i = 0; i < 5; i++) await write(`f${i}`, "");
    expect(await walkDirectory(root, { maxEntries: 5 })).toMatchObject({ truncated: false });
    const { entries, truncated } = await walkDirectory(root, { maxEntries: 4 });
    expect(entries).toHaveLength(4);
    expect(truncated).toBe(true);
  });

  it("F-08 stops at the depth it was given, and says so", async () => {
    await write("a/b/c/d.md", "");
    await write("a/e.md", "");
    expect(await walkDirectory(root, { maxDepth: 4 })).toMatchObject({ truncated: false });
    const { entries, truncated } = await walkDirectory(root, { maxDepth: 2 });
    expect(entries.map(({ path }) => path)).toEqual(["a/e.md"]);
    expect(truncated).toBe(true);
  });

  it("F-08 comes back from a thousand nested folders", async () => {
    await mkdir(join(root, ...Array.from({ length: 1000 }, () => "d")), { recursive: true });
    expect(await walkDirectory(root)).toEqual({ entries: [], truncated: true, unreadable: [] });
  });

  it("D-06 walks one folder of it, and leaves folders out by name", async () => {
    await write("a/b/c.md", "");
    await write("a/skipped/d.md", "");
    await write("e.md", "");
    const skip = new Set(["skipped"]);
    const { entries } = await walkDirectory(root, { under: "a", skip });
    expect(entries.map(({ path }) => path)).toEqual(["a/b/c.md"]);
  });

  it("D-06 gives the first entries in order when it stops", async () => {
    for (const name of ["z", "b/2", "b.md", "b/1", "a", "c"]) await write(name, "");
    const { entries } = await walkDirectory(root, { maxEntries: 4 });
    expect(entries.map(({ path }) => path)).toEqual(["a", "b.md", "b/1"]);
  });

  it("F-08 does not walk below a link", async () => {
    await write("real/a.md", "");
    await symlink("real", join(root, "link"));
    const error = await walkDirectory(root, { under: "link" }).catch((reason: unknown) => reason);
    expect(SkillwrightError.isInstance(error) && error.code).toBe("directory-unreadable");
  });

  it("F-08 says that a folder cannot be read", async () => {
    const error = await walkDirectory(join(root, "nowhere")).catch((reason: unknown) => reason);
    expect(SkillwrightError.isInstance(error) && error.code).toBe("directory-unreadable");
  });
});

async function write(path: string, content: string): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), content);
}
