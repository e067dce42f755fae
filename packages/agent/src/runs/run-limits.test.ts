import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/fault/agent-world.ts";
import { createFileStore, createSequenceModel, runAgent } from "../index.ts";
import { MAX_TEXT } from "../internal/index.ts";
import { replayRun } from "./index.ts";

const ANSWER = { action: "final_answer", answer: "done" };

async function place() {
  const world = await agentWorld();
  const redactor = createRedactor({ env: {}, maxStringLength: MAX_TEXT });
  const stateDirectory = join(world.folder, "state");
  const store = createFileStore({ root: world.folder, stateDirectory, redactor });
  const { skills, tools } = world;
  return { effects: world.effects, options: { skills, tools, store, ids: () => "run-1" }, store };
}

describe("what a record can hold", () => {
  it.each([
    ["letters", "x"],
    ["Chinese", "技"],
    ["what a record escapes", "\u200b"],
    ["emoji", "🙂"],
  ])("P-03 a request of a million characters is cut, not the record: %s", async (_, character) => {
    const { options, store } = await place();
    const request = character.repeat(1_000_000);
    const model = createSequenceModel([ANSWER]);
    expect(await runAgent({ ...options, request, model })).toMatchObject({ status: "answered" });
    const records = (await store.read("run-1")) ?? [];
    expect(records[0]?.data).toMatchObject({ runId: "run-1", budget: { turns: 40 } });
    expect(await replayRun(records)).toMatchObject({ ok: true });
  });

  it("A-02 a decision that a record would cut is not acted on", async () => {
    const { options, effects } = await place();
    const model = createSequenceModel([
      { action: "touch", what: "y".repeat(200_000) },
      { action: "touch", what: "z".repeat(50_000) },
      ANSWER,
    ]);
    expect(await runAgent({ ...options, request: "go", model })).toMatchObject({
      status: "answered",
    });
    expect(effects).toEqual(["z".repeat(50_000)]);
  });

  it("P-03 tools that are too large to be recorded are refused before anything is done", async () => {
    const { options, effects } = await place();
    const [touch] = options.tools;
    const tools = Array.from({ length: 2 }, (_, i) => ({
      ...touch,
      name: `tool${i}`,
      description: "d".repeat(100_000),
    })) as typeof options.tools;
    const model = createSequenceModel([{ action: "tool1", what: "x" }, ANSWER]);
    await expect(runAgent({ ...options, tools, request: "go", model })).rejects.toThrow(
      "too large to be recorded",
    );
    expect(effects).toEqual([]);
  });
});
