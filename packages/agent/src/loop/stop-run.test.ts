import type { SkillTool } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { agentWorld, crashingStore, Crash } from "../../../../test/fault/agent-world.ts";
import {
  createMemoryStore,
  createSequenceModel,
  type Model,
  resumeAgent,
  runAgent,
} from "../index.ts";
import { replayRun } from "../runs/index.ts";

const select = (name: string) => ({ action: "select_skills", skills: [{ name }] });
const act = (name: string, argument: string) => ({
  action: "run_script",
  skill: { name },
  relative_path: "scripts/act.py",
  args: [argument],
});
const ANSWER = { action: "final_answer", answer: "done" };
const ENTRIES = [
  select("pdf"),
  act("pdf", "one"),
  select("apart"),
  act("apart", "two"),
  ANSWER,
  ANSWER,
];

/** Aborts when it was asked so often. */
function stopping(stop: AbortController, turn: number): Model {
  const model = createSequenceModel(ENTRIES);
  let turns = 0;
  return {
    ...model,
    decide(request, context) {
      if (++turns === turn) stop.abort();
      return model.decide(request, context);
    },
  };
}

describe("a run that is stopped", () => {
  it.each([1, 2, 3, 4, 5])(
    "C-01 in call %i of the model ends after that step, and goes on where it was",
    async (turn) => {
      const { skills, policy, tools, effects } = await agentWorld();
      const store = createMemoryStore();
      const stop = new AbortController();
      const common = { skills, policy, tools, store };
      const options = { ...common, request: "go", ids: () => "run", stop: stop.signal };
      const result = await runAgent({ ...options, model: stopping(stop, turn) });
      expect(result).toMatchObject({ status: "canceled", reason: "it was stopped" });
      // The step came to its end: what was decided was done.
      expect(effects).toEqual(["one", "two"].slice(0, turn >= 4 ? 2 : turn >= 2 ? 1 : 0));
      const heard = (await Promise.all((await store.list()).map((id) => store.read(id))))
        .flatMap((records) => records ?? [])
        .filter(({ event }) => event === "model-response").length;
      expect(heard).toBe(turn);
      const model = createSequenceModel(ENTRIES.slice(heard));
      const resumed = await resumeAgent({ ...common, model, runId: "run" });
      expect(resumed).toMatchObject({ ok: true, status: "answered", answer: "done" });
      expect(effects).toEqual(["one", "two"]);
      for (const id of await store.list()) {
        const records = (await store.read(id)) ?? [];
        expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
      }
    },
  );

  it("C-01 in its last step is answered, and before its first one nothing is asked", async () => {
    const { skills, policy, tools } = await agentWorld();
    const stop = new AbortController();
    const options = { skills, policy, tools, request: "go", stop: stop.signal };
    const answered = await runAgent({ ...options, model: stopping(stop, 6) });
    expect(answered.status).toBe("answered");
    const none = await runAgent({ ...options, model: createSequenceModel([]) });
    expect(none).toMatchObject({ status: "canceled", usage: { turns: 0 } });
  });

  it("P-03 wherever a stopped run is cut off, it goes on", async () => {
    for (let last = 1; ; last++) {
      const { skills, policy, tools, effects } = await agentWorld();
      const store = createMemoryStore();
      const stop = new AbortController();
      const common = { skills, policy, tools };
      const crashed = await runAgent({
        ...common,
        store: crashingStore(store, last),
        request: "go",
        ids: () => "run",
        stop: stop.signal,
        model: stopping(stop, 4),
      }).catch((error: unknown) => error);
      const records = (await Promise.all((await store.list()).map((id) => store.read(id)))).flat();
      const heard = records.filter((record) => record?.event === "model-response").length;
      const model = createSequenceModel(ENTRIES.slice(heard));
      const resumed = await resumeAgent({ ...common, store, model, runId: "run" });
      // A script that was cut off in the middle and is not followed by another has not succeeded.
      const all = (await Promise.all((await store.list()).map((id) => store.read(id)))).flat();
      const isInterrupted = all.some((record) => hasCode(record?.data, "interrupted"));
      expect(resumed, `cut off after ${last}`).toMatchObject({ ok: true, answer: "done" });
      const ends = isInterrupted ? ["answered", "failed"] : ["answered"];
      expect(ends).toContain(resumed.ok && resumed.status);
      expect(new Set(effects).size).toBe(effects.length);
      if (!(crashed instanceof Crash)) break;
    }
  });

  it("C-01 what was canceled before it ended is said to be, and may be done again", async () => {
    const { skills, policy } = await agentWorld();
    const store = createMemoryStore();
    const controller = new AbortController();
    const halted: SkillTool = {
      name: "halted",
      description: "Is canceled.",
      inputSchema: { type: "object", properties: {} },
      execute: async () => {
        controller.abort();
        return { ok: false, code: "tool-failed" };
      },
      toText: () => "Error: halted was canceled",
    };
    const call = { action: "use_tool", tool: "halted", input: {} };
    const result = await runAgent({
      skills,
      policy,
      tools: [halted],
      store,
      request: "go",
      ids: () => "run",
      signal: controller.signal,
      model: createSequenceModel([call]),
    });
    expect(result.status).toBe("canceled");
    const records = (await store.read("run")) ?? [];
    const ended = records.find(({ event }) => event === "action-end")?.data;
    expect(ended).toMatchObject({ ok: false, code: "canceled" });
    expect(ended).toHaveProperty("observation", expect.stringContaining("Run it again if"));
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  });
});

function hasCode(data: unknown, code: string): boolean {
  return (data as { readonly code?: string }).code === code;
}
