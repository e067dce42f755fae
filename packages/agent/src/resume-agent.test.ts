import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { agentWorld, Crash, crashingStore } from "../../../test/fault/agent-world.ts";
import { withoutExactTexts } from "../../../test/support/agent-world.ts";
import { skillText } from "../../../test/support/skill-tree.ts";
import {
  createFileStore,
  createMemoryStore,
  createSequenceModel,
  type Model,
  type ModelRequest,
  type RunStore,
  resumeAgent,
  runAgent,
} from "./index.ts";
import type { SequenceEntry } from "./internal/index.ts";
import { replayRun } from "./runs/index.ts";

const SELECT = { action: "select_skills", skills: [{ name: "pdf" }] };
const TOUCH = { action: "touch", what: "once" };
const ANSWER = { action: "final_answer", answer: "done" };
const runId = "run-1";

type World = Awaited<ReturnType<typeof agentWorld>>;

function fileStore(folder: string) {
  const redactor = createRedactor({ env: {} });
  return createFileStore({ root: folder, stateDirectory: join(folder, "state"), redactor });
}

const partsOf = ({ skills, policy, tools }: World) => ({ skills, policy, tools });

function run(world: World, store: RunStore, entries: readonly SequenceEntry[]) {
  const model = createSequenceModel(entries);
  return runAgent({ ...partsOf(world), request: "go", model, store, ids: () => runId });
}

function resume(world: World, store: RunStore, model: Model, approve?: string) {
  const approval = approve === undefined ? undefined : { approve };
  return resumeAgent({ ...partsOf(world), runId, store, model, ...approval });
}

/** Keeps what it was asked last. */
function listening(entries: readonly SequenceEntry[]) {
  const model = createSequenceModel(entries);
  const heard: ModelRequest[] = [];
  const decide: Model["decide"] = (request, context) => {
    heard.push(request);
    return model.decide(request, context);
  };
  return { model: { ...model, decide }, heard };
}

describe("resumeAgent", () => {
  it("P-03 says why a run cannot go on", async () => {
    const world = await agentWorld();
    const store = fileStore(world.folder);
    const model = createSequenceModel([ANSWER]);
    expect(await resume(world, store, model)).toMatchObject({ ok: false, code: "run-not-found" });
    await expect(run(world, crashingStore(store, 0), [ANSWER])).rejects.toThrow(Crash);
    expect(await resume(world, store, model)).toMatchObject({ code: "run-not-started" });
    rmSync(join(world.folder, ".agent"), { recursive: true });
    rmSync(join(world.folder, "state/audit"), { recursive: true });
    await run(world, store, [ANSWER]);
    expect(await resume(world, store, model)).toMatchObject({ code: "run-answered" });
    const log = await store.open(runId);
    expect(await resume(world, store, model)).toMatchObject({ code: "run-locked" });
    log?.close();
    writeFileSync(join(store.folderOf(runId) ?? "", "events.jsonl"), "{}\n", { flag: "a" });
    expect(await resume(world, store, model)).toMatchObject({ code: "run-damaged" });
  });

  it("P-03 a model that failed is asked again, and the turns it took are counted on", async () => {
    const world = await agentWorld();
    const store = createMemoryStore();
    expect(await run(world, store, [SELECT, TOUCH])).toMatchObject({ status: "model_failed" });
    const result = await resume(world, store, createSequenceModel([ANSWER]));
    expect(result).toMatchObject({ ok: true, status: "answered", skills: ["pdf"] });
    expect(world.effects).toEqual(["once"]);
    expect(await resume(world, store, createSequenceModel([]), "x")).toMatchObject({
      code: "run-answered",
    });
  });

  it("P-03 what had begun is told to the model as interrupted, and is not repeated", async () => {
    const world = await agentWorld();
    const store = createMemoryStore();
    // start, request, response, decision, plan, and that the tool was called: not that it ended.
    await expect(run(world, crashingStore(store, 6), [TOUCH])).rejects.toThrow(Crash);
    expect((await store.read(runId))?.at(-1)).toMatchObject({ event: "tool-call" });
    const { model, heard } = listening([ANSWER]);
    expect(await resume(world, store, model)).toMatchObject({ status: "answered" });
    expect(world.effects).toEqual(["once"]);
    expect(heard[0]?.messages.at(-1)).toMatchObject({
      role: "observation",
      content: expect.stringContaining("was not repeated"),
    });
  });

  it("D-04 tells the model of skills that changed or are gone", async () => {
    const world = await agentWorld();
    const store = createMemoryStore();
    await run(world, store, [SELECT]);
    const skill = join(world.folder, "skills/pdf/SKILL.md");
    writeFileSync(skill, `${skillText("pdf")}Mind the gap.\n`);
    await world.skills.refresh();
    const changed = listening([]);
    await resume(world, store, changed.model);
    const texts = changed.heard[0]?.messages.map(({ content }) => content) ?? [];
    expect(texts.filter((text) => text.includes("# Goal of pdf"))).toHaveLength(1);
    expect(texts.at(-1)).toContain("Mind the gap.");
    rmSync(join(world.folder, "skills/pdf"), { recursive: true });
    await world.skills.refresh();
    const gone = listening([{ ...TOUCH, what: "after" }, ANSWER]);
    expect(await resume(world, store, gone.model)).toMatchObject({ ok: true, skills: [] });
    const last = gone.heard[0]?.messages ?? [];
    expect(last.at(-1)?.content).toContain("The skill pdf can no longer be used");
    expect(last.some(({ content }) => content.includes("Mind the gap."))).toBe(false);
    expect(await replayRun((await store.read(runId)) ?? [])).toMatchObject({ ok: true });
  });

  it("A-08 a run that was cut off before its skill was there still begins with it", async () => {
    const world = await agentWorld();
    const store = createMemoryStore();
    const model = createSequenceModel([]);
    const request = "/only-people x";
    const first = { ...partsOf(world), request, model, ids: () => runId };
    await expect(runAgent({ ...first, store: crashingStore(store, 1) })).rejects.toThrow(Crash);
    // Once more, with the skill active: it is kept from models, and stays with this one.
    expect(await resume(world, store, createSequenceModel([]))).toMatchObject({
      status: "model_failed",
      skills: ["only-people"],
    });
    const last = await resume(world, store, createSequenceModel([ANSWER]));
    expect(last).toMatchObject({ status: "answered", skills: ["only-people"] });
    const activated = ((await store.read(runId)) ?? []).filter(
      ({ event }) => event === "skill-activate",
    );
    expect(activated).toHaveLength(1);
  });

  it("P-02 knows which approval a run waits for", async () => {
    const world = await agentWorld();
    const store = createMemoryStore();
    await run(world, store, [SELECT]);
    expect(await resume(world, store, createSequenceModel([]), "x")).toMatchObject({
      code: "approval-unknown",
      message: expect.stringContaining("waits for no approval"),
    });
  });

  it("A-04 takes no budget that is none", async () => {
    const world = await agentWorld();
    const store = createMemoryStore();
    const model = createSequenceModel([]);
    const options = { ...partsOf(world), store, model, budget: { turns: Number.NaN } };
    await expect(runAgent({ ...options, request: "go" })).rejects.toThrow(TypeError);
    expect(await store.list()).toEqual([]);
    await run(world, store, [SELECT]);
    await expect(resumeAgent({ ...options, runId })).rejects.toThrow(TypeError);
  });

  describe("what held a secret and was not done", () => {
    const what = `token=abc123\nghp_${"a1".repeat(18)}`;
    const SECRET = /abc123|ghp_/;

    /** Cut off so many records into a run that touches a secret; gives what the next model hears. */
    async function cutOff(last: number, before: (store: RunStore) => RunStore | Promise<RunStore>) {
      const world = await agentWorld();
      const store = createMemoryStore();
      const model = createSequenceModel([{ ...TOUCH, what }]);
      const options = { ...partsOf(world), request: "go", model, ids: () => runId };
      const crashing = crashingStore(store, last);
      await expect(runAgent({ ...options, store: crashing })).rejects.toThrow(Crash);
      const again = listening([ANSWER]);
      const parts = { ...partsOf(world), store: await before(store), model: again.model };
      expect(await resumeAgent({ ...parts, runId })).toMatchObject({ status: "answered" });
      const records = (await store.read(runId)) ?? [];
      expect(JSON.stringify(records)).not.toMatch(SECRET);
      expect(records.some(({ data }) => (data as { redacted?: true }).redacted)).toBe(true);
      expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
      const left = await parts.store.exactTexts?.get(runId);
      expect(left?.size ?? 0).toBe(0);
      return { effects: world.effects, messages: again.heard[0]?.messages ?? [] };
    }

    // After the response, the decision and the plan.
    it.each([3, 4, 5])("P-03 is done as it was decided, after %i records", async (last) => {
      const { effects, messages } = await cutOff(last, (store) => store);
      expect(effects).toEqual([what]);
      expect(messages.at(-1)?.content).toBe("touched");
      expect(JSON.stringify(messages)).toMatch(SECRET);
    });

    const withOthers = async (store: RunStore): Promise<RunStore> => {
      const texts = (await store.exactTexts?.get(runId)) ?? new Map<number, unknown>();
      const changed = [...texts].map(([sequence, data]) => {
        const text = JSON.stringify(data).replaceAll("go", "no").replaceAll("secret", "x");
        return [sequence, JSON.parse(text.replaceAll("touch", "search")) as unknown] as const;
      });
      await store.exactTexts?.put(runId, changed);
      return store;
    };
    it.each([
      ["no exact texts are kept", withoutExactTexts],
      ["the exact texts are not what was recorded", withOthers],
    ])("P-03 is never done in part, when %s", async (_, before) => {
      for (const last of [3, 4, 5]) {
        const { effects, messages } = await cutOff(last, before);
        expect(effects).toEqual([]);
        expect(messages.at(-1)).toMatchObject({
          role: "observation",
          content: expect.stringContaining("Make the call again, in full"),
          isError: true,
        });
        expect(JSON.stringify(messages)).not.toMatch(SECRET);
      }
    });
  });
});
