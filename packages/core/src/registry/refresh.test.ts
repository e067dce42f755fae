import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ageTree, skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { directorySource, type SkillSource } from "../index.ts";

/** All file access goes through a source's scan. */
function counted(source: SkillSource) {
  const counter = { scans: 0 };
  const wrapped: SkillSource = {
    roots: source.roots,
    scan(context) {
      counter.scans++;
      return source.scan(context);
    },
  };
  return { counter, wrapped };
}

async function open(cacheSeconds?: number) {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") });
  ageTree(root);
  const { counter, wrapped } = counted(directorySource(root, { label: "project" }));
  const time = { now: 1_000_000 };
  const skills = await openSkills({
    roots: [wrapped],
    clock: () => time.now,
    ...(cacheSeconds === undefined ? undefined : { cacheSeconds }),
  });
  return { root, counter, time, skills };
}

describe("time to live", () => {
  it("R-09 looks at no file within 300 seconds, and again after them", async () => {
    const { root, counter, time, skills } = await open();
    writeTree(root, { "c/SKILL.md": skillText("c") });
    time.now += 299_999;
    await skills.refreshIfStale();
    expect([counter.scans, skills.all.length]).toEqual([1, 2]);
    time.now += 1;
    await skills.refreshIfStale();
    expect([counter.scans, skills.all.length]).toEqual([2, 3]);
  });

  it("R-09 honours another time to live, and 0 looks every time", async () => {
    const ten = await open(10);
    ten.time.now += 9999;
    await ten.skills.refreshIfStale();
    expect(ten.counter.scans).toBe(1);
    ten.time.now += 1;
    await ten.skills.refreshIfStale();
    expect(ten.counter.scans).toBe(2);
    const none = await open(0);
    await none.skills.refreshIfStale();
    await none.skills.refreshIfStale();
    expect(none.counter.scans).toBe(3);
  });

  it("R-09 does not believe a clock that jumped back", async () => {
    const { counter, time, skills } = await open();
    time.now -= 3_600_000;
    await skills.refreshIfStale();
    expect(counter.scans).toBe(2);
    await skills.refreshIfStale();
    expect(counter.scans).toBe(2);
  });

  it("R-09 looks once after a clock that jumped forward", async () => {
    const { counter, time, skills } = await open();
    time.now += 1e12;
    await skills.refreshIfStale();
    await skills.refreshIfStale();
    expect(counter.scans).toBe(2);
  });

  it("R-09 reading, finding and explaining never start a look", async () => {
    const { counter, skills } = await open();
    expect([skills.all.length, skills.find("a").ok, skills.explain("zz").found]).toEqual([
      2,
      true,
      false,
    ]);
    skills.diagnostics();
    expect(counter.scans).toBe(1);
  });

  it("R-09 reports a hit rate above 80 % for a session of an hour with a look a minute", async () => {
    const { time, skills } = await open();
    expect(skills.cacheStatistics()).toEqual({ hits: 0, misses: 0, hitRate: 0 });
    for (let turn = 0; turn < 180; turn++) {
      time.now += 20_000;
      await skills.refreshIfStale();
      skills.get("a");
    }
    const { hits, misses, hitRate } = skills.cacheStatistics();
    expect([hits + misses, hitRate]).toEqual([180, hits / 180]);
    expect(hitRate).toBeGreaterThan(0.8);
  });
});

describe("refresh", () => {
  it("R-09 tells what was added, removed and changed", async () => {
    const { root, skills } = await open();
    expect(await skills.refresh()).toEqual({ added: [], removed: [], changed: [] });
    writeTree(root, {
      "c/SKILL.md": skillText("c"),
      "a/SKILL.md": skillText("a", "New. Use when."),
    });
    expect(await skills.refresh()).toEqual({ added: ["c"], removed: [], changed: ["a"] });
    expect(skills.get("a")?.description).toBe("New. Use when.");
    writeTree(root, { "b/SKILL.md": "broken" });
    ageTree(root);
    await skills.refresh();
    expect(skills.all.map(({ name }) => name)).toEqual(["a", "c"]);
  });

  it("R-08 R-09 takes another version of a skill for a change of it", async () => {
    const { root, skills } = await open();
    const text = (version: string) => skillText("a", "Does. Use when.", `version: ${version}\n`);
    writeTree(root, { "a/SKILL.md": text("1.0.0") });
    await skills.refresh();
    expect(skills.get("a")?.id).toBe("project:a@1.0.0");
    writeTree(root, { "a/SKILL.md": text("2.0.0") });
    expect(await skills.refresh()).toEqual({ added: [], removed: [], changed: ["a"] });
    expect(skills.get("a")?.id).toBe("project:a@2.0.0");
  });

  it("R-09 swaps the snapshot at once and leaves readers of the old one alone", async () => {
    const { root, skills } = await open();
    const { all } = skills;
    const before = structuredClone(all);
    writeTree(root, { "a/SKILL.md": skillText("a", "New. Use when."), "b/SKILL.md": "broken" });
    const refreshing = skills.refresh();
    expect(skills.all).toBe(all);
    await refreshing;
    expect(skills.all).not.toBe(all);
    expect(all).toEqual(before);
  });

  it("R-09 concurrent calls share one look", async () => {
    const { counter, skills } = await open();
    await Promise.all([skills.refresh(), skills.refresh(), skills.refresh()]);
    expect(counter.scans).toBe(2);
  });

  it("R-09 an approval hashes the files as they are, within the time to live", async () => {
    const { root, counter, skills } = await open();
    const skill = skills.get("a")!;
    const before = await skills.digest(skill);
    writeTree(join(root, "a"), { "scripts/run.sh": "echo" });
    expect(await skills.digest(skill)).not.toBe(before);
    expect(counter.scans).toBe(1);
  });
});

it("R-11 R-01 opens a hundred skills and reads only their frontmatter", async () => {
  const root = temporaryFolder();
  for (let i = 0; i < 100; i++) {
    writeTree(root, {
      [`skill-${i}/SKILL.md`]: `${skillText(`skill-${i}`)}${"body ".repeat(2000)}`,
    });
  }
  const skills = await openSkills({ roots: [root] });
  expect(skills.all).toHaveLength(100);
  expect(JSON.stringify(skills.all)).not.toContain("body");
});
