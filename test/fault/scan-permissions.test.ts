import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { bundleCore, runInChild } from "../support/core-child.ts";
import { skillText, writeTree } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const bundles = mkdtempSync(join(tmpdir(), "skillwright-bundle-"));
let core = "";

beforeAll(async () => {
  core = await bundleCore(bundles);
});
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

const OPEN = `
  const skills = await core.openSkills({ roots: args });
  return {
    names: skills.all.map(({ name }) => name),
    findings: skills.diagnostics().map(({ code, file }) => code + " " + file),
  };`;

/** A folder that everyone may read, apart from these paths. */
function closed(files: Readonly<Record<string, string>>, ...paths: string[]): string {
  const folder = temporaryFolder(files);
  chmodSync(folder, 0o755);
  for (const path of paths) chmodSync(join(folder, path), 0o000);
  onTestFinished(() => {
    for (const path of paths) chmodSync(join(folder, path), 0o755);
  });
  return folder;
}

it("R-05 warns about a root that cannot be read and reads the next", async () => {
  const files = { "one/a/SKILL.md": skillText("a"), "two/b/SKILL.md": skillText("b") };
  const folder = closed(files, "one");
  const roots = [join(folder, "one"), join(folder, "two")];
  expect(await runInChild(core, OPEN, roots)).toEqual({
    names: ["b"],
    findings: [`root-unreadable ${join(folder, "one")}`],
  });
});

it("R-05 names what cannot be read and shows the rest", async () => {
  const names = ["a", "closed", "file", "z"];
  const skills = Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)]));
  const files = { ...skills, "org/inner/SKILL.md": skillText("inner") };
  const folder = closed(files, "closed", "file/SKILL.md", "org");
  const found = (await runInChild(core, OPEN, [folder])) as Record<string, string[]>;
  expect(found["names"]).toEqual(["a", "z"]);
  for (const place of ["closed", "file", "org"]) {
    expect(found["findings"]?.join("\n"), place).toContain(join(folder, place));
  }
});

it("R-09 a cache that cannot be read or written costs only time", async () => {
  const folder = closed({ "root/a/SKILL.md": skillText("a"), "cache/x": "" }, "cache");
  const open = `
    const cache = core.diskCache(args[1]);
    const first = await core.openSkills({ roots: [args[0]], cache });
    const second = await core.openSkills({ roots: [args[0]], cache });
    return [first.all.length, second.all.length, second.diagnostics().length];`;
  for (const cache of ["cache", "cache/below", "root"]) {
    const args = [join(folder, "root"), join(folder, cache)];
    expect(await runInChild(core, open, args), cache).toEqual([1, 1, 0]);
  }
});

it("R-09 two processes that write one index at once leave a whole one", async () => {
  const folder = closed({});
  for (let i = 0; i < 100; i++) {
    writeTree(folder, { [`root/s${i}/SKILL.md`]: skillText(`s${i}`) });
  }
  writeTree(folder, { "cache/.keep": "" });
  chmodSync(join(folder, "cache"), 0o777);
  const write = `
    const cache = core.diskCache(args[1]);
    let damaged = 0;
    let key;
    const write = (itsKey, index) => cache.write((key = itsKey), index);
    for (let i = 0; i < 40; i++) {
      const skills = await core.openSkills({ roots: [args[0]], cache: { read: async () => undefined, write } });
      const stored = await cache.read(key);
      if (stored?.folders.get("")?.skills.length !== 100) damaged++;
      if (skills.all.length !== 100) damaged++;
    }
    return damaged;`;
  const args = [join(folder, "root"), join(folder, "cache")];
  const damaged = await Promise.all([1, 2].map(() => runInChild(core, write, args)));
  expect(damaged).toEqual([0, 0]);
  const left = `const fs = await import("node:fs"); return fs.readdirSync(args[1]).length;`;
  expect(await runInChild(core, left, args)).toBe(2);
});
