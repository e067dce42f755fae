import { chatOf } from "../../../../test/support/chat-of.ts";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { OpenSkillsOptions } from "../index.ts";
import { openSkills } from "../index.ts";

async function open(options: OpenSkillsOptions = {}) {
  const root = temporaryFolder({ "pdf/SKILL.md": skillText("pdf", "Merges. Use when.") });
  const time = { now: 1_000_000 };
  const skills = await openSkills({
    roots: [root],
    cacheSeconds: 10,
    clock: () => time.now,
    ...options,
  });
  return { root, time, skills };
}

describe("time to live", () => {
  it.each(["activate", "search", "readFile", "listFiles", "activateSeveral", "a tool"])(
    "R-09 %s sees a new skill once it is over, and not before",
    async (act) => {
      const { root, time, skills } = await open();
      writeTree(root, { "horse/SKILL.md": skillText("horse", "Paints horses. Use when.") });
      const sees = async () => {
        if (act === "activate") return (await chatOf(skills).activate("horse")).ok;
        if (act === "search") return (await chatOf(skills).search("horses")).length === 1;
        if (act === "readFile") return (await chatOf(skills).readFile("horse", "SKILL.md")).ok;
        if (act === "listFiles") return (await chatOf(skills).listFiles("horse")).ok;
        if (act === "activateSeveral") {
          return (await chatOf(skills).activateSeveral(["horse"])).activations.every(
            ({ ok }) => ok,
          );
        }
        const load = chatOf(skills)
          .tools()
          .find(({ name }) => name === "load_skill")!;
        return !JSON.stringify(await load.execute({ skill_name: "horse" })).includes("not-found");
      };
      time.now += 9999;
      expect([await sees(), skills.all.length]).toEqual([false, 1]);
      time.now += 1;
      expect([await sees(), skills.all.length]).toEqual([true, 2]);
      const { hits, misses } = skills.cacheStatistics();
      expect([hits > 0, misses]).toEqual([true, 1]);
    },
  );

  it("R-09 within it a body is read once, for every conversation, and after it as it is then", async () => {
    const { root, time, skills } = await open();
    const text = async () => {
      const activation = await skills.conversation().activate("pdf");
      return activation.ok ? activation.text : activation.code;
    };
    const first = await text();
    // Proof that nothing is read.
    rmSync(join(root, "pdf"), { recursive: true });
    expect(await text()).toBe(first);
    writeTree(root, { "pdf/SKILL.md": skillText("pdf", "Merges. Use when.") });
    appendFileSync(join(root, "pdf/SKILL.md"), "More to say.\n");
    expect(await text()).toBe(first);
    time.now += 10_000;
    expect(await text()).toContain("More to say.");
  });

  it("R-09 a refresh forgets bodies, and an approval hashes in any case", async () => {
    const { root, skills } = await open();
    await chatOf(skills).activate("pdf");
    const before = await skills.digest(skills.get("pdf")!);
    appendFileSync(join(root, "pdf/SKILL.md"), "More to say.\n");
    expect(await skills.digest(skills.get("pdf")!)).not.toBe(before);
    expect(await chatOf(skills).activate("pdf")).toMatchObject({ alreadyActive: true });
    await skills.refresh();
    expect(await chatOf(skills).activate("pdf")).toMatchObject({
      alreadyActive: false,
      changed: true,
    });
  });
});

it("D-07 R-09 without a time to live a changed body shows at once", async () => {
  const root = temporaryFolder({ "pdf/SKILL.md": skillText("pdf", "Merges. Use when.") });
  const skills = await openSkills({ roots: [root] });
  await chatOf(skills).activate("pdf");
  expect(await chatOf(skills).activate("pdf")).toMatchObject({ alreadyActive: true });
  appendFileSync(join(root, "pdf/SKILL.md"), "More to say.\n");
  expect(await chatOf(skills).activate("pdf")).toMatchObject({
    alreadyActive: false,
    changed: true,
  });
});

describe("skills defined in code", () => {
  const skill = { name: "code", description: "Does. Use when.", instructions: "Go." };

  it("R-01 make a file only when it is read", async () => {
    const make = vi.fn<() => string>(() => "made");
    const inline = [{ ...skill, files: { "a.md": make, "b.md": "text" } }];
    const { skills } = await open({ inline });
    expect(await chatOf(skills).activate("code")).toMatchObject({
      ok: true,
      files: [{ path: "a.md" }, { path: "b.md", size: 4 }],
    });
    expect(await skills.digest(skills.get("code")!)).toMatch(/^sha256:/);
    expect(make).not.toHaveBeenCalled();
    expect(await chatOf(skills).readFile("code", "a.md")).toMatchObject({ ok: true, text: "made" });
  });

  it("R-05 that throw are failures, not errors", async () => {
    const fail = () => {
      throw new Error("offline");
    };
    const inline = [
      { ...skill, files: { "a.md": fail } },
      { ...skill, name: "mute", instructions: () => Promise.reject(new Error("offline")) },
    ];
    const { skills } = await open({ inline });
    expect(await chatOf(skills).activate("code")).toMatchObject({ ok: true });
    expect(await chatOf(skills).readFile("code", "a.md")).toMatchObject({ ok: false });
    expect(await chatOf(skills).activate("mute")).toMatchObject({
      ok: false,
      code: "skill-unreadable",
      message: expect.stringContaining("offline"),
    });
  });
});

it("R-12 a disabled skill is said to be disabled, unless a model may not know of it", async () => {
  const { root, skills } = await open({ disabled: ["pdf", "manual"] });
  const disabled = { ok: false, code: "skill-not-found", message: 'the skill "pdf" is disabled' };
  expect(await chatOf(skills).readFile("project:pdf", "SKILL.md")).toMatchObject(disabled);
  expect(await chatOf(skills).activate("pdf")).toMatchObject(disabled);
  writeTree(root, {
    "manual/SKILL.md": skillText("manual", "For people.", "disable-model-invocation: true\n"),
  });
  await skills.refresh();
  expect(await chatOf(skills).activate("manual")).toMatchObject({
    message: 'there is no skill named "manual"',
  });
  expect(await skills.conversation({ include: ["other"] }).activate("pdf")).toMatchObject({
    message: 'there is no skill named "pdf"',
  });
});
