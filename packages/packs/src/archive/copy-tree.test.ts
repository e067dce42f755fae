import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { treeOf } from "../../../../test/support/archive-arena.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { copyTree, type CopyTreeOptions } from "./index.ts";

/** A source, and an empty folder to copy to. */
function prepare(files: Record<string, string>) {
  const folder = temporaryFolder({ "outside/secret.txt": "secret", ...files });
  const from = join(folder, "from");
  const to = join(folder, "to");
  mkdirSync(from, { recursive: true });
  mkdirSync(to);
  return { folder, from, to };
}

async function refused(from: string, to: string, options: CopyTreeOptions = {}): Promise<string> {
  const result = await copyTree(from, to, options);
  expect(readdirSync(to)).toEqual([]);
  return result.ok ? "accepted" : `${result.code}: ${result.message}`;
}

describe("copyTree", () => {
  it("K-02 copies plain files with plain modes, and leaves out what is no part of a skill", async () => {
    const { from, to } = prepare({
      "from/SKILL.md": "skill",
      "from/scripts/run.sh": "run",
      "from/scripts/__pycache__/x.pyc": "x",
      "from/.git/config": "x",
      "from/node_modules/x/index.js": "x",
      "from/.skillwright/x": "x",
      "from/sub/.git": "gitdir: elsewhere",
      "from/.DS_Store": "x",
    });
    chmodSync(join(from, "scripts/run.sh"), 0o4775);
    chmodSync(join(from, "SKILL.md"), 0o600);
    const result = await copyTree(from, to);
    expect(treeOf(to)).toEqual({ "SKILL.md": "skill", "scripts/run.sh": "755 run" });
    expect(result).toEqual({
      ok: true,
      files: 2,
      bytes: 8,
      notes: [
        "left out what is no part of a skill: .DS_Store, .git, .skillwright, __pycache__, node_modules",
      ],
    });
  });

  it("K-02 copies a large file whole, and through a link to the source itself", async () => {
    const { folder, from, to } = prepare({});
    const content = "0123456789".repeat(100_000);
    writeFileSync(join(from, "large.txt"), content);
    linkSync(join(from, "large.txt"), join(from, "same.txt"));
    symlinkSync("from", join(folder, "link"));
    expect(await copyTree(join(folder, "link"), to)).toMatchObject({ ok: true, files: 2 });
    expect(treeOf(to)).toEqual({ "large.txt": content, "same.txt": content });
  });

  it.each([
    ["to a file", "../outside/secret.txt"],
    ["to a folder", "../outside"],
    ["to nothing", "nothing"],
    ["inside", "SKILL.md"],
  ])("K-05 27 a link %s is refused by its path", async (_title, target) => {
    const { from, to } = prepare({ "from/SKILL.md": "skill" });
    symlinkSync(target, join(from, "link"));
    expect(await refused(from, to)).toBe('archive-unsafe: the entry "link" is a symbolic link');
  });

  it("K-05 26 a FIFO is refused and not waited for", async () => {
    const { from, to } = prepare({ "from/SKILL.md": "skill" });
    execFileSync("mkfifo", [join(from, "fifo")]);
    expect(await refused(from, to)).toBe('archive-unsafe: the entry "fifo" is not a plain file');
  });

  it("K-05 44 names are held to the rules for archives", async () => {
    for (const name of ["back\\slash", "con.txt", "dot.", "a:b", "esc\u001b[2J"]) {
      const { from, to } = prepare({ [`from/${name}`]: "x" });
      expect(await refused(from, to)).toMatch(/^archive-unsafe/);
    }
    const { from, to } = prepare({ "from/SKILL.md": "x", "from/skill.md": "y" });
    expect(await refused(from, to)).toMatch(/^archive-unsafe/);
  });

  it("K-05 45 limits hold, and nothing is left when they are reached or it is canceled", async () => {
    const { from, to } = prepare({ "from/a": "12345", "from/b": "12345", "from/c/d": "12345" });
    expect(await refused(from, to, { limits: { files: 2 } })).toMatch(/^limit-exceeded/);
    expect(await refused(from, to, { limits: { bytes: 14 } })).toMatch(/^limit-exceeded/);
    expect(await refused(from, to, { signal: AbortSignal.abort() })).toMatch(/^canceled/);
    expect(await copyTree(from, to, { limits: { files: 3, bytes: 15 } })).toMatchObject({
      ok: true,
    });
  });

  it("K-05 gives a failure for what is not there", async () => {
    const { from, to, folder } = prepare({ "from/SKILL.md": "skill" });
    expect(await refused(join(folder, "nothing"), to)).toMatch(/^source-missing/);
    expect(await refused(join(from, "SKILL.md"), to)).toMatch(/^source-unreachable/);
  });
});
