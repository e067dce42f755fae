import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { ageTree, skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import type { SkillRecord } from "../index.ts";
import type { SkillChange } from "../internal/index.ts";

interface SeenChange extends SkillChange {
  /** What `all` was when the listener was called. */
  readonly all: readonly SkillRecord[];
}

/** `links`: names in the root, and what they lead to beside it. */
async function watched(links: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({
    "root/a/SKILL.md": skillText("a"),
    "root/b/SKILL.md": skillText("b"),
    "root/b/references/more.md": "more",
    "kept/far/SKILL.md": skillText("far"),
    "kept/far/references/more.md": "more",
  });
  const root = join(folder, "root");
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    symlinkSync(join(folder, target), join(root, name));
  }
  ageTree(folder);
  const skills = await openSkills({ roots: [root], watch: true });
  onTestFinished(() => skills.close());
  const seen: SeenChange[] = [];
  let wake = () => {};
  skills.onChange((change) => {
    seen.push({ ...change, all: skills.all });
    wake();
  });
  const next = async (): Promise<SeenChange> => {
    while (seen.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return seen.shift()!;
  };
  /** Nothing more is said about what was before: the next event is about another skill. */
  const expectSilence = async () => {
    writeTree(root, { "sentinel/SKILL.md": skillText("sentinel") });
    expect(names(await next())).toEqual({ added: ["sentinel"], removed: [], changed: [] });
  };
  return { folder, root, skills, next, expectSilence };
}

function names({ added, removed, changed }: SkillChange): SkillChange {
  return { added, removed, changed };
}

it("R-09 announces an edit once, with the new content in place", async () => {
  const { root, next, expectSilence } = await watched();
  writeTree(root, { "a/SKILL.md": skillText("a", "Edited. Use when.") });
  const change = await next();
  expect(names(change)).toEqual({ added: [], removed: [], changed: ["a"] });
  expect(change.all.find(({ name }) => name === "a")?.description).toBe("Edited. Use when.");
  await expectSilence();
});

it("R-09 takes many small writes for one edit", async () => {
  const { root, next, expectSilence } = await watched();
  const file = join(root, "a/SKILL.md");
  writeFileSync(file, "---\nname: a\n");
  for (let i = 0; i < 20; i++) appendFileSync(file, `# ${i}\n`);
  appendFileSync(file, "description: Put together. Use when.\n---\n");
  const change = await next();
  expect(names(change)).toEqual({ added: [], removed: [], changed: ["a"] });
  expect(change.all[0]?.description).toBe("Put together. Use when.");
  await expectSilence();
});

it("R-09 takes an editor's save by rename for an edit", async () => {
  const { root, next, expectSilence } = await watched();
  const file = join(root, "a/SKILL.md");
  renameSync(file, `${file}~`);
  writeFileSync(`${file}.tmp`, skillText("a", "Saved. Use when."));
  renameSync(`${file}.tmp`, file);
  rmSync(`${file}~`);
  const change = await next();
  expect(names(change)).toEqual({ added: [], removed: [], changed: ["a"] });
  expect(change.all[0]?.description).toBe("Saved. Use when.");
  await expectSilence();
});

it("R-09 announces the next edit, and the next, of a file saved by rename", async () => {
  const { root, next } = await watched();
  const file = join(root, "a/SKILL.md");
  for (const description of ["One. Use when.", "Two. Use when.", "Three. Use when."]) {
    writeFileSync(`${file}.tmp`, skillText("a", description));
    renameSync(`${file}.tmp`, file);
    const change = await next();
    expect([names(change).changed, change.all[0]?.description]).toEqual([["a"], description]);
  }
});

it("R-09 announces a renamed skill as one gone and one come", async () => {
  const { root, next, expectSilence } = await watched();
  renameSync(join(root, "a"), join(root, "c"));
  writeTree(root, { "c/SKILL.md": skillText("c") });
  const change = await next();
  expect(names(change)).toEqual({ added: ["c"], removed: ["a"], changed: [] });
  expect(change.all.map(({ path }) => path)).toEqual([join(root, "b"), join(root, "c")]);
  await expectSilence();
});

it("R-09 announces a deleted skill and one that no longer parses", async () => {
  const { root, skills, next, expectSilence } = await watched();
  rmSync(join(root, "b"), { recursive: true });
  const change = await next();
  expect(names(change)).toEqual({ added: [], removed: ["b"], changed: [] });
  writeTree(root, { "a/SKILL.md": "broken" });
  expect(names(await next())).toEqual({ added: [], removed: ["a"], changed: [] });
  expect(skills.diagnostics().map(({ code }) => code)).toEqual(["frontmatter-missing"]);
  await expectSilence();
});

it("R-09 announces a skill when one of its other files changes, appears or goes", async () => {
  const { root, next, expectSilence } = await watched();
  const changes: (() => void)[] = [
    () => writeTree(root, { "b/references/more.md": "other" }),
    () => writeTree(root, { "b/scripts/deep/run.sh": "echo" }),
    () => rmSync(join(root, "b/references"), { recursive: true }),
  ];
  for (const change of changes) {
    change();
    expect(names(await next())).toEqual({ added: [], removed: [], changed: ["b"] });
  }
  await expectSilence();
});

it("R-09 announces 1,000 files copied in, all of them in place", async () => {
  const { folder, root, next } = await watched();
  for (let i = 0; i < 250; i++) {
    const files = { "SKILL.md": skillText(`s${i}`), "a.md": "", "b.md": "", "references/c.md": "" };
    writeTree(join(folder, `from/s${i}`), files);
  }
  cpSync(join(folder, "from"), join(root, "org"), { recursive: true });
  const change = await next();
  expect([change.added.length, change.removed, change.changed]).toEqual([250, [], []]);
  expect(change.all).toHaveLength(252);
});

it("R-09 a snapshot taken before a change stays as it was", async () => {
  const { root, skills, next } = await watched();
  const { all } = skills;
  const before = structuredClone(all);
  rmSync(join(root, "a"), { recursive: true });
  await next();
  expect(all).toEqual(before);
  expect(skills.all).toHaveLength(1);
});

it("R-09 a listener that was taken off hears nothing more", async () => {
  const { root, skills, next } = await watched();
  const heard: SkillChange[] = [];
  const stop = skills.onChange((change) => heard.push(change));
  stop();
  writeTree(root, { "a/SKILL.md": skillText("a", "Edited. Use when.") });
  await next();
  expect(heard).toEqual([]);
});

it("R-09 announces an edit inside a skill whose folder is a link, once", async () => {
  const { folder, next, expectSilence } = await watched({ far: "kept/far" });
  const file = join(folder, "kept/far/SKILL.md");
  writeFileSync(file, skillText("far", "Edited. Use when."));
  const change = await next();
  expect(names(change)).toEqual({ added: [], removed: [], changed: ["far"] });
  expect(change.all.at(-1)?.description).toBe("Edited. Use when.");
  writeFileSync(`${file}.tmp`, skillText("far", "Saved. Use when."));
  renameSync(`${file}.tmp`, file);
  expect((await next()).all.at(-1)?.description).toBe("Saved. Use when.");
  writeTree(folder, { "kept/far/scripts/run.sh": "echo" });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["far"] });
  await expectSilence();
});

it("R-09 follows a link in a namespace, and a link that comes later", async () => {
  const { folder, root, next, expectSilence } = await watched({ "org/far": "kept/far" });
  writeTree(folder, { "kept/far/references/more.md": "edited" });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["far"] });
  writeTree(folder, { "kept/late/SKILL.md": skillText("late") });
  symlinkSync(join(folder, "kept/late"), join(root, "late"));
  expect(names(await next())).toEqual({ added: ["late"], removed: [], changed: [] });
  writeTree(folder, { "kept/late/SKILL.md": skillText("late", "Edited. Use when.") });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["late"] });
  await expectSilence();
});

it("R-09 stops watching when the link goes, and announces that it went", async () => {
  const { folder, root, next, expectSilence } = await watched({ far: "kept/far" });
  rmSync(join(root, "far"));
  expect(names(await next())).toEqual({ added: [], removed: ["far"], changed: [] });
  writeTree(folder, { "kept/far/SKILL.md": skillText("far", "Edited. Use when.") });
  await expectSilence();
});

it("R-09 announces what a link leads to when it goes, comes back or is another folder", async () => {
  const { folder, root, next, expectSilence } = await watched({ far: "kept/far" });
  renameSync(join(folder, "kept/far"), join(folder, "kept/away"));
  expect(names(await next())).toEqual({ added: [], removed: ["far"], changed: [] });
  renameSync(join(folder, "kept/away"), join(folder, "kept/far"));
  expect(names(await next())).toEqual({ added: ["far"], removed: [], changed: [] });
  writeTree(folder, { "kept/far/references/more.md": "edited" });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["far"] });
  writeTree(folder, { "kept/other/SKILL.md": skillText("far", "Another. Use when.") });
  symlinkSync(join(folder, "kept/other"), join(root, "new-link"));
  renameSync(join(root, "new-link"), join(root, "far"));
  expect((await next()).all.at(-1)?.description).toBe("Another. Use when.");
  writeTree(folder, { "kept/other/notes.md": "edited" });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["far"] });
  await expectSilence();
});

it("R-09 does not watch what a link inside a skill, or to no skill, leads to", async () => {
  const { folder, root, next } = await watched({ "a/inner": "kept/far", kept: "kept" });
  writeTree(folder, { "kept/far/SKILL.md": skillText("far", "Edited. Use when.") });
  writeTree(root, { "sentinel/SKILL.md": skillText("sentinel") });
  expect(names(await next())).toEqual({ added: ["sentinel"], removed: [], changed: [] });
});

it("R-09 two roots that are the same folder announce an edit once", async () => {
  const folder = temporaryFolder({ "real/a/SKILL.md": skillText("a") });
  const roots = [join(folder, "real"), join(folder, "link")];
  symlinkSync(roots[0]!, roots[1]!);
  ageTree(roots[0]!);
  const skills = await openSkills({ roots, watch: true });
  onTestFinished(() => skills.close());
  const seen: SkillChange[] = [];
  const heard = new Promise<void>((resolve) => {
    skills.onChange((change) => {
      seen.push(names(change));
      if (change.added.length > 0) resolve();
    });
  });
  writeTree(roots[0]!, { "a/SKILL.md": skillText("a", "Edited. Use when.") });
  await expect.poll(() => seen).toEqual([{ added: [], removed: [], changed: ["a"] }]);
  writeTree(roots[0]!, { "sentinel/SKILL.md": skillText("sentinel") });
  await heard;
  expect(seen).toHaveLength(2);
});

it("R-09 announces an edit whatever the clock does", async () => {
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const { root, next, expectSilence } = await watched();
  vi.restoreAllMocks();
  writeTree(root, { "a/SKILL.md": skillText("a", "Edited. Use when.") });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["a"] });
  vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
  writeTree(root, { "b/references/more.md": "other" });
  expect(names(await next())).toEqual({ added: [], removed: [], changed: ["b"] });
  await expectSilence();
});

it("R-09 announces an edit that somebody else's look has seen before", async () => {
  const { root, skills, next, expectSilence } = await watched();
  writeTree(root, { "c/SKILL.md": skillText("c") });
  expect(await skills.refresh()).toEqual({ added: ["c"], removed: [], changed: [] });
  expect(names(await next())).toEqual({ added: ["c"], removed: [], changed: [] });
  await expectSilence();
});
