import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createSettler } from "./index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const folder = temporaryFolder({ "org/a/SKILL.md": "one" });
  const told: (readonly string[])[] = [];
  const settler = createSettler((paths) => Promise.resolve(void told.push(paths)));
  const settle = async (...paths: string[]) => {
    for (const path of paths) settler.notice(join(folder, path));
    await vi.advanceTimersByTimeAsync(200);
    return told.splice(0).map((paths) => paths.map((path) => path.slice(folder.length + 1)));
  };
  return { folder, settler, settle };
}

it("R-09 tells of a path once, and again when it has changed", async () => {
  const { folder, settle } = world();
  expect(await settle("org/a/SKILL.md")).toEqual([["org/a/SKILL.md"]]);
  expect(await settle("org/a/SKILL.md")).toEqual([]);
  // As long as before, by another file, which has another inode.
  writeFileSync(join(folder, "new"), "two");
  renameSync(join(folder, "new"), join(folder, "org/a/SKILL.md"));
  expect(await settle("org/a/SKILL.md")).toEqual([["org/a/SKILL.md"]]);
  rmSync(join(folder, "org/a/SKILL.md"));
  expect(await settle("org/a/SKILL.md")).toEqual([["org/a/SKILL.md"]]);
  expect(await settle("org/a/SKILL.md")).toEqual([]);
});

it("R-09 takes a late event of a file for told when its folder was, and not that of a new file", async () => {
  const { folder, settle } = world();
  expect(await settle("org")).toEqual([["org"]]);
  expect(await settle("org/a/SKILL.md", "org/a")).toEqual([]);
  mkdirSync(join(folder, "org/b"));
  expect(await settle("org/a/SKILL.md", "org/b")).toEqual([["org/b"]]);
});

it("R-09 tells of what is certain although the path looks as before", async () => {
  const { folder, settler, settle } = world();
  await settle("org");
  settler.notice(join(folder, "org"), { isCertain: true });
  expect(await settle()).toEqual([["org"]]);
});
