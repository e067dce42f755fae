import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/fault/agent-world.ts";
import { createSequenceModel, type SequenceEntry } from "../models/mock/create-sequence-model.ts";
import { runAgent } from "../run-agent.ts";
import { createFileStore, RECORD_FILE } from "./file-store.ts";
import { pruneRuns } from "./prune-runs.ts";

const ANSWER = { action: "final_answer", answer: "done" };

async function place() {
  const { folder, skills, policy } = await agentWorld();
  const redactor = createRedactor({ env: {} });
  const stateDirectory = join(folder, "state");
  const store = createFileStore({ root: folder, stateDirectory, redactor });
  const run = (runId: string, entries: readonly SequenceEntry[] = [ANSWER]) => {
    const model = createSequenceModel(entries);
    return runAgent({ request: "go", skills, policy, model, store, ids: () => runId });
  };
  return { store, run };
}

describe("pruneRuns", () => {
  it("P-03 keeps the newest, and children go with their parents", async () => {
    const { store, run } = await place();
    await run("a", [{ action: "select_skills", skills: [{ name: "apart" }] }, ANSWER, ANSWER]);
    await run("b");
    await run("c");
    expect(await store.list()).toEqual(["c", "b", "a.1", "a"]);
    expect(await pruneRuns({ store, keep: 2 })).toEqual({
      removed: ["a", "a.1"],
      kept: [
        { runId: "c", reason: "new" },
        { runId: "b", reason: "new" },
      ],
    });
    // Nothing is known of it any more, so that a run of this name can begin.
    await run("a");
    expect(await store.verify("a")).toMatchObject({ ok: true });
  });

  it("P-03 leaves what is not old enough, what somebody writes, and what is damaged", async () => {
    const { store, run } = await place();
    await run("a");
    expect(await pruneRuns({ store, olderThan: Date.now() - 60_000 })).toMatchObject({
      kept: [{ runId: "a", reason: "new" }],
    });
    const log = await store.open("a");
    expect(await pruneRuns({ store })).toEqual({
      removed: [],
      kept: [{ runId: "a", reason: "running" }],
    });
    log?.close();
    expect(await store.verify("a")).toMatchObject({ ok: true });
    expect(await pruneRuns({ store, olderThan: Date.now() + 60_000 })).toEqual({
      removed: ["a"],
      kept: [],
    });
    expect(await store.list()).toEqual([]);
    await run("b");
    appendFileSync(join(store.folderOf("b") ?? "", RECORD_FILE), "{}\n");
    expect(await pruneRuns({ store })).toMatchObject({ kept: [{ runId: "b", reason: "damaged" }] });
  });
});
