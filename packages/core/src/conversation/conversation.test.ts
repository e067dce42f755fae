import { chatOf } from "../../../../test/support/chat-of.ts";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { OpenSkillsOptions } from "../index.ts";
import { openSkills } from "../index.ts";

const TREE = {
  "pdf/SKILL.md": `${skillText("pdf", "Merges PDF files. Use when asked to join them.")}Join pages.\n`,
  "pdf/references/forms.md": "# Forms\nFill them.\n\n# Other\nMore.\n",
  "notes/SKILL.md": skillText("notes", "Writes meeting notes. Use after a meeting."),
  "manual/SKILL.md": skillText("manual", "Only for people.", "disable-model-invocation: true\n"),
  "lead/SKILL.md": skillText("lead", "Leads. Use first.", "metadata:\n  role: coordinator\n"),
};

async function open(options: OpenSkillsOptions = {}) {
  const root = temporaryFolder(TREE);
  return { root, skills: await openSkills({ roots: [root], ...options }) };
}

describe("a view of the skills", () => {
  it("D-02 keeps what is kept from models from every way to it, until a person calls it", async () => {
    const { skills } = await open();
    const view = skills.conversation();
    expect(view.skills.map(({ name }) => name)).toEqual(["lead", "notes", "pdf"]);
    expect(view.catalog().text).not.toContain("manual");
    expect(await view.search("only for people")).not.toContainEqual(
      expect.objectContaining({ name: "manual" }),
    );
    for (const result of [
      view.find("manual"),
      await view.activate("manual"),
      await view.readFile("manual", "SKILL.md"),
      await view.listFiles("manual@project"),
    ]) {
      expect(result).toMatchObject({ ok: false, code: "skill-not-found" });
      expect(JSON.stringify(result)).not.toContain("Only for people");
    }
    expect(await view.activate("manual", { by: "person" })).toMatchObject({ ok: true });
    expect(await view.readFile("manual", "SKILL.md")).toMatchObject({ ok: true });
    expect(await skills.conversation().readFile("manual", "SKILL.md")).toMatchObject({ ok: false });
  });

  it("D-03 two agents never see each other's choice or context", async () => {
    const { skills } = await open();
    const one = skills.conversation({ include: ["PDF"] });
    const two = skills.conversation({ include: ({ name }) => name !== "pdf" });
    expect(one.catalog().shown).toEqual(["pdf"]);
    expect(two.catalog().shown).toEqual(["lead", "notes"]);
    await one.activate("pdf");
    expect(await two.activate("pdf")).toMatchObject({ ok: false, code: "skill-not-found" });
    expect([one.ledger.active.length, two.ledger.active.length]).toEqual([1, 0]);
  });

  it("D-07 loads once what is asked for at the same time", async () => {
    const { skills } = await open();
    const results = await Promise.all([1, 2, 3].map(() => chatOf(skills).activate("pdf")));
    const bodies = results.filter((result) => result.ok && result.text.includes("Join pages"));
    expect(bodies).toHaveLength(1);
    expect(results.filter((result) => result.ok && result.alreadyActive)).toHaveLength(2);
  });

  it("D-07 brings at most two bodies a round, coordinating skills first", async () => {
    const { skills } = await open();
    const { activations, postponed } = await chatOf(skills).activateSeveral([
      "pdf",
      "notes",
      "lead",
      "pdf",
    ]);
    expect(activations.map((result) => result.ok && result.name)).toEqual(["lead", "pdf"]);
    expect(postponed).toEqual(["notes"]);
  });

  it("D-07 brings no more bodies than the caller has left for this turn", async () => {
    const { skills } = await open();
    const some = await chatOf(skills).activateSeveral(["pdf", "notes"], { limit: 1 });
    expect(some.activations.map((result) => result.ok && result.name)).toEqual(["pdf"]);
    expect(some.postponed).toEqual(["notes"]);
    const none = await chatOf(skills).activateSeveral(["notes"], { limit: 0 });
    expect(none).toEqual({ activations: [], postponed: ["notes"] });
  });

  it("D-05 D-07 bodies of one round share the room", async () => {
    const body = "Check the totals of each sheet against the source.\n".repeat(200);
    const root = temporaryFolder(
      Object.fromEntries(
        ["a", "b", "c"].map((name) => [`${name}/SKILL.md`, skillText(name) + body]),
      ),
    );
    const skills = await openSkills({ roots: [root] });
    const several = (roomTokens: number) =>
      skills.conversation().activateSeveral(["a", "b", "c"], { roomTokens, limit: 3 });
    const whole = await several(20_000);
    expect(whole.activations.map((one) => one.ok && one.rest)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const small = await skills.conversation({ limits: { roomTokens: 1000 } }).activate("a");
    expect(small).toMatchObject({ ok: true, rest: { endLine: 205 } });
    expect(small.ok && small.tokens).toBeLessThanOrEqual(1000);
    const { activations, postponed } = await several(3500);
    expect(activations.map((one) => one.ok && one.rest === undefined)).toEqual([true, false]);
    expect(postponed).toEqual(["c"]);
    const tokens = activations.map((one) => (one.ok ? one.tokens : 0));
    expect(tokens.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3500);
  });

  it("D-07 P-01 a skill that was unloaded is not active, and can be loaded again", async () => {
    const { root, skills } = await open();
    const view = skills.conversation();
    for (const name of ["pdf", "notes"]) await view.activate(name);
    expect(view.deactivate(" PDF ")).toEqual({ ok: true, name: "pdf", source: "project" });
    expect(view.ledger.active.map(({ name }) => name)).toEqual(["notes"]);
    expect((await view.reattach()).messages).toHaveLength(1);
    expect(view.deactivate("pdf")).toEqual({
      ok: false,
      code: "skill-not-active",
      message: 'the skill "pdf" is not active',
      candidates: ["notes"],
    });
    const again = await view.activate("pdf");
    expect(again).toMatchObject({ alreadyActive: false, changed: false });
    expect(again.ok && again.text).toContain("Join pages.");
    expect(view.deactivate("pdf@project")).toMatchObject({ ok: true });
    // A skill whose folder is gone can be unloaded as well.
    rmSync(join(root, "notes"), { recursive: true });
    await skills.refresh();
    expect(view.deactivate("notes")).toEqual({ ok: true, name: "notes", source: "project" });
    expect(view.ledger.active).toEqual([]);
  });

  it("D-02 D-07 unloading a skill that only people may call ends the call", async () => {
    const { skills } = await open();
    await chatOf(skills).activate("manual", { by: "person" });
    expect(chatOf(skills).deactivate("manual")).toMatchObject({ ok: true, name: "manual" });
    expect(await chatOf(skills).activate("manual")).toMatchObject({
      ok: false,
      code: "skill-not-found",
    });
    const again = await chatOf(skills).activate("manual", { by: "person" });
    expect(again).toMatchObject({ ok: true, alreadyActive: false });
  });

  it("D-04 brings active skills back after a compaction, the most recent within the budget", async () => {
    const { skills } = await open();
    const [pdf] = [await chatOf(skills).activate("pdf"), await chatOf(skills).activate("notes")];
    const all = await chatOf(skills).reattach();
    expect(all.messages.map(({ content }) => /name="(\w+)"/.exec(content)?.[1])).toEqual([
      "pdf",
      "notes",
    ]);
    const tokens = pdf.ok ? pdf.tokens : 0;
    const less = await chatOf(skills).reattach({ budgetTokens: tokens + 5 });
    expect(less.messages.map(({ content }) => content)).toEqual([
      expect.stringContaining('name="notes"'),
    ]);
    expect(less.dropped).toEqual(["pdf"]);
    expect(await chatOf(skills).activate("pdf")).toMatchObject({ alreadyActive: false });
  });

  it("D-09 saves and goes on where it was", async () => {
    const { root, skills } = await open({
      configuration: { skillTools: { maxOutputSizeBytes: 4096 } },
    });
    await chatOf(skills).activate("pdf");
    const saved: unknown = JSON.parse(JSON.stringify(chatOf(skills).save()));
    const again = await openSkills({ restore: saved });
    expect(again.roots).toEqual([root]);
    expect(again.all).toEqual(skills.all);
    const chat = again.conversation({ state: saved });
    expect(chat.save()).toEqual(chatOf(skills).save());
    expect(await chat.activate("pdf")).toMatchObject({ alreadyActive: true });
    expect((await chat.reattach()).messages).toHaveLength(1);
    appendFileSync(join(root, "pdf/SKILL.md"), "More.\n");
    expect(await chat.activate("pdf")).toMatchObject({
      alreadyActive: false,
      changed: true,
    });
    expect((await openSkills({ restore: { UserSkills: [] }, roots: [root] })).all).toHaveLength(4);
  });

  it("T-08 suggests near names, never hidden ones", async () => {
    const { skills } = await open();
    expect(await chatOf(skills).activate("pdff")).toMatchObject({ ok: false, candidates: ["pdf"] });
    expect(await chatOf(skills).activate("manua")).toMatchObject({ ok: false, candidates: [] });
  });

  it("T-08 D-02 says why a skill cannot be used, to those who may know of it", async () => {
    const root = temporaryFolder({ ...TREE, "manua/SKILL.md": "broken" });
    const skills = await openSkills({ roots: [root] });
    expect(await chatOf(skills).activate("manua")).toMatchObject({
      ok: false,
      code: "skill-unusable",
      candidates: [],
    });
    for (const view of [
      skills.conversation({ include: ["pdf"] }),
      skills.conversation({ include: () => true }),
    ]) {
      expect(await view.activate("manua")).toMatchObject({ code: "skill-not-found" });
    }
  });

  it("T-11 gives a skill's content far within 100 ms", async () => {
    const { skills } = await open();
    const times: number[] = [];
    for (let i = 0; i < 21; i++) {
      const start = performance.now();
      expect(await skills.conversation().activate("pdf")).toMatchObject({ ok: true });
      times.push(performance.now() - start);
    }
    expect(times.toSorted((a, b) => a - b)[10]).toBeLessThan(100);
  });

  it("D-06 reads files only when asked, a section by its heading", async () => {
    const { skills } = await open();
    expect(
      await chatOf(skills).readFile("pdf", "references/forms.md", { section: "other" }),
    ).toMatchObject({
      ok: true,
      text: expect.stringContaining("More."),
    });
    expect(await chatOf(skills).readFile("pdf", "../notes/SKILL.md")).toMatchObject({ ok: false });
  });
});

describe("search", () => {
  it("D-08 finds by description and body, best first, and says nothing of empty roots", async () => {
    const { skills } = await open();
    expect((await chatOf(skills).search("merge two pdf files"))[0]).toMatchObject({
      name: "pdf",
      source: "project",
    });
    expect((await chatOf(skills).search("join pages"))[0]?.name).toBe("pdf");
    const empty = await openSkills({ roots: [temporaryFolder()] });
    expect(await chatOf(empty).search("anything")).toEqual([]);
  });

  it("D-06 reads no body before the first search, and then only what changed", async () => {
    const { root, skills } = await open();
    const store = { bytes: undefined as Uint8Array | undefined };
    const read = vi.fn<(key: string) => Uint8Array | undefined>(() => store.bytes);
    const write = vi.fn<(key: string, bytes: Uint8Array) => void>((_key, bytes) => {
      store.bytes = bytes;
    });
    const opened = await openSkills({ roots: [root], searchStore: { read, write } });
    expect(read).not.toHaveBeenCalled();
    await chatOf(opened).search("pdf");
    await chatOf(opened).search("notes");
    expect([read.mock.calls.length, write.mock.calls.length]).toEqual([1, 1]);
    // With a saved index nothing is read: the file is gone, and still found by its body.
    const again = await openSkills({ roots: [root], searchStore: { read, write } });
    rmSync(join(root, "pdf/SKILL.md"));
    expect((await chatOf(again).search("join pages"))[0]?.name).toBe("pdf");
    expect(write).toHaveBeenCalledTimes(1);
    await skills.close();
  });

  it("D-08 ranks by meaning too when the host has an embedder, and by words when it fails", async () => {
    const vectors = (text: string) => (/bread|notes/i.test(text) ? [1, 0] : [0, 1]);
    const embed = vi.fn<(texts: readonly string[]) => Promise<number[][]>>((texts) =>
      Promise.resolve(texts.map(vectors)),
    );
    const { skills } = await open({ embedder: { embed } });
    expect(embed).not.toHaveBeenCalled();
    expect((await chatOf(skills).search("bread"))[0]?.name).toBe("notes");
    embed.mockRejectedValue(new Error("offline"));
    expect((await chatOf(skills).search("merge pdf"))[0]?.name).toBe("pdf");
  });

  it("D-08 follows changes", async () => {
    const { root, skills } = await open();
    await chatOf(skills).search("pdf");
    writeTree(root, { "csv/SKILL.md": skillText("csv", "Cleans spreadsheets. Use for tables.") });
    writeFileSync(join(root, "notes/SKILL.md"), skillText("notes", "Bakes bread. Use for baking."));
    rmSync(join(root, "pdf"), { recursive: true });
    await skills.refresh();
    expect((await chatOf(skills).search("spreadsheets"))[0]?.name).toBe("csv");
    expect((await chatOf(skills).search("bread"))[0]?.name).toBe("notes");
    expect((await chatOf(skills).search("merge pdf")).map(({ name }) => name)).not.toContain("pdf");
  });
});
