import { chatOf } from "../../../../test/support/chat-of.ts";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { OpenSkillsOptions } from "../index.ts";
import { openSkills } from "../index.ts";

const names = (count: number) => Array.from({ length: count }, (_, i) => `skill-${i + 10}`);

function tree(count: number, more = "") {
  return Object.fromEntries(
    names(count).map((name) => [`${name}/SKILL.md`, `${skillText(name, undefined, more)}Steps.\n`]),
  );
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const LONG = `${skillText("long")}${"line\n".repeat(300)}`;
const MANUAL = `${skillText("manual", undefined, "disable-model-invocation: true\n")}Steps.\n`;

describe("openSkills({ restore })", () => {
  it.each([
    [{ UserSkills: [{ Name: "a" }], ProjectSkills: [] }],
    [{ schemaVersion: 0 }],
    [{ schemaVersion: 2, skills: [] }],
    ["garbage"],
    ["{}"],
    [null],
    [5],
    [[]],
  ])("D-09 what has another shape restores to an empty list: %j", async (restore) => {
    const cwd = temporaryFolder({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    expect((await openSkills({ cwd })).all).toHaveLength(1);
    const skills = await openSkills({ cwd, restore });
    expect([skills.all, skills.roots, chatOf(skills).catalog().text]).toEqual([[], [], ""]);
    expect((await openSkills({ restore: throughJson(chatOf(skills).save()) })).all).toEqual([]);
    // Who names a place wants that one.
    expect((await openSkills({ roots: [`${cwd}/.agent/skills`], restore })).all).toHaveLength(1);
  });

  it("N-02 D-09 Feature: remove-skill-catalog-config, Property 5: options and skills come back equal from save()", async () => {
    const root = temporaryFolder({ ...tree(8), "manual/SKILL.md": MANUAL });
    const switches = fc.record(
      {
        enableReadSkillTool: fc.boolean(),
        enableReadFileTool: fc.boolean(),
        maxOutputSizeBytes: fc.integer({ min: 1000, max: 100_000 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    const workspace = fc.record(
      { enableReadSkill: fc.boolean(), enableRunCommand: fc.boolean() },
      { requiredKeys: [], noNullPrototype: true },
    );
    const some = fc.subarray([...names(8), "manual"]);
    const place = fc.oneof(
      fc.constant({ roots: [root] }),
      some.map((chosen) => ({ directory: root, names: chosen })),
    );
    await fc.assert(
      fc.asyncProperty(
        place,
        fc.record({ skillTools: switches, workspace }, { requiredKeys: [], noNullPrototype: true }),
        some,
        some,
        async (from, configuration, disabled, active) => {
          const skills = await openSkills({ ...from, configuration, disabled });
          for (const name of active) await chatOf(skills).activate(name, { by: "person" });
          const saved = chatOf(skills).save();
          const again = await openSkills({ restore: throughJson(saved) });
          const chat = again.conversation({ state: throughJson(saved) });
          expect(again.all).toEqual(skills.all);
          expect(chat.save()).toEqual(saved);
          expect(chat.catalog()).toEqual(chatOf(skills).catalog());
          expect(chat.tools().map(({ name }) => name)).toEqual(
            chatOf(skills)
              .tools()
              .map(({ name }) => name),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("D-09 skills come back equal when their folder is gone, and cannot be read then", async () => {
    const root = temporaryFolder({ ...tree(40), "manual/SKILL.md": MANUAL });
    const skills = await openSkills({ roots: [root] });
    const saved = throughJson(chatOf(skills).save());
    rmSync(join(root, "skill-12"), { recursive: true });
    const partly = await openSkills({ restore: saved });
    expect(partly.all).toEqual(skills.all);
    rmSync(root, { recursive: true });
    const again = await openSkills({ restore: saved });
    expect(again.all).toEqual(skills.all);
    expect(chatOf(again).catalog().text).toBe(chatOf(skills).catalog().text);
    expect(await chatOf(again).activate("skill-11")).toMatchObject({ code: "skill-unreadable" });
    await again.refresh();
    expect(again.all).toEqual([]);
  });

  it("D-09 R-08 who was not trusted is not trusted after a restore", async () => {
    const root = temporaryFolder(tree(2));
    const isTrusted: OpenSkillsOptions["isTrusted"] = ({ relativePath }) =>
      relativePath === "skill-10";
    const skills = await openSkills({ roots: [root], isTrusted });
    const restore = throughJson(chatOf(skills).save());
    expect((await openSkills({ restore })).conversation().skills).toHaveLength(1);
    expect(
      (await openSkills({ restore, isTrusted: () => true })).conversation().skills,
    ).toHaveLength(2);
  });
});

describe("reattach after a restore", () => {
  it("D-09 D-05 keeps to the limits of the view, and knows what it brought back", async () => {
    const root = temporaryFolder({ "long/SKILL.md": LONG, "other/SKILL.md": skillText("other") });
    const configuration = {
      skillTools: { maxOutputSizeBytes: 1024 },
      security: { max_skill_body_lines: 100 },
    };
    const skills = await openSkills({ roots: [root], configuration });
    for (const name of ["long", "other"]) await chatOf(skills).activate(name);
    const restore = throughJson(chatOf(skills).save());
    appendFileSync(join(root, "long/SKILL.md"), "More.\n");
    const again = await openSkills({ restore });
    const chat = again.conversation({ state: restore });
    const { messages } = await chat.reattach();
    expect(messages.map(({ content }) => /name="(\w+)"/.exec(content)?.[1])).toEqual([
      "long",
      "other",
    ]);
    expect(messages[0]?.content.match(/^line$/gm)?.length).toBeLessThanOrEqual(100);
    expect(await chat.activate("long")).toMatchObject({
      alreadyActive: true,
      changed: false,
    });
  });

  it("D-02 D-09 keeps a hidden skill that a person called, while it is trusted", async () => {
    const root = temporaryFolder({ "manual/SKILL.md": MANUAL });
    const skills = await openSkills({ roots: [root] });
    await chatOf(skills).activate("manual", { by: "person" });
    const restore = throughJson(chatOf(skills).save());
    const again = await openSkills({ restore });
    const chat = again.conversation({ state: restore });
    expect(await chat.reattach()).toMatchObject({
      dropped: [],
      messages: [{ content: expect.stringContaining("Steps.") as string }],
    });
    expect(await chat.readFile("manual", "SKILL.md")).toMatchObject({ ok: true });
    const untrusted = await openSkills({ restore, isTrusted: () => false });
    const distrustful = untrusted.conversation({ state: restore });
    expect(await distrustful.reattach()).toMatchObject({ dropped: ["manual"], messages: [] });
    expect(await distrustful.readFile("manual", "SKILL.md")).toMatchObject({ ok: false });
  });

  it("D-02 a skill that its author hides is not delivered to a model any more", async () => {
    const root = temporaryFolder(tree(1));
    const skills = await openSkills({ roots: [root] });
    writeFileSync(
      join(root, "skill-10/SKILL.md"),
      MANUAL.replace("name: manual", "name: skill-10"),
    );
    expect(await chatOf(skills).activate("skill-10")).toMatchObject({
      ok: false,
      code: "skill-not-found",
    });
  });
});
