import { ownIdentity } from "@skillwright/core/internal";
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/fault/agent-world.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createFileStore, createSequenceModel, runAgent } from "../index.ts";
import type { SequenceEntry } from "../internal/index.ts";
import { pruneRuns, RECORD_FILE } from "./index.ts";

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
  const heads = () => readdirSync(join(stateDirectory, "audit/heads"));
  return { folder, store, run, stateDirectory, heads };
}

/** As `kill -9` leaves a run behind that has hardly begun. */
const BEGUN = {
  "with nothing but a folder": () => undefined,
  "with an empty record": (folder: string) => writeFileSync(join(folder, RECORD_FILE), ""),
} as const;

/** The lock of a process that ended before the machine was started again. */
const endedHolder = (token: string) => JSON.stringify({ ...ownIdentity(), boot: "another", token });

describe("runs that were cut off before their first record", () => {
  it.each(Object.entries(BEGUN))("P-03 go with the others: %s", async (_, leave) => {
    const { folder, store, run } = await place();
    await run("b");
    const cut = join(folder, ".agent/runs/a");
    mkdirSync(cut);
    leave(cut);
    expect(await store.verify("a")).toMatchObject({ ok: true, records: 0 });
    const young = { store, olderThan: Date.now() - 60_000 };
    expect(await pruneRuns(young)).toMatchObject({ removed: [] });
    expect(await pruneRuns({ store, keep: 1 })).toMatchObject({ removed: ["a"] });
    expect(await pruneRuns({ store, keep: 0 })).toMatchObject({ removed: ["b"] });
  });

  const isLinux = process.platform === "linux";
  it.runIf(isLinux)("P-03 also with a head, half a line, and locks of the killed", async () => {
    const { folder, store, stateDirectory, heads } = await place();
    (await store.create("a")).close();
    const [head = ""] = heads();
    const lock = join(stateDirectory, "audit/heads", head.replace(".head", ".lock"));
    const token = randomUUID();
    writeFileSync(lock, endedHolder(token));
    // Another one was killed while it took that lock over.
    writeFileSync(`${lock}.after-${token}`, endedHolder(randomUUID()));
    appendFileSync(join(folder, ".agent/runs/a", RECORD_FILE), '{"schema');
    expect(await pruneRuns({ store, keep: 0 })).toMatchObject({ removed: ["a"] });
    expect(heads()).toEqual([]);
  });

  it("P-03 a record that somebody took away is no run that never began", async () => {
    const { store, run } = await place();
    await run("a");
    rmSync(join(store.folderOf("a") ?? "", RECORD_FILE));
    expect(await pruneRuns({ store })).toMatchObject({ kept: [{ runId: "a", reason: "damaged" }] });
  });
});

describe("a removal that fails", () => {
  it("P-03 leaves the run as it was when its record cannot be forgotten", async () => {
    const { store, run, stateDirectory, heads } = await place();
    await run("a");
    const head = join(stateDirectory, "audit/heads", heads()[0] ?? "");
    const kept = readFileSync(head);
    rmSync(head);
    mkdirSync(head);
    expect(() => store.remove("a")).toThrow(/directory/i);
    rmSync(head, { recursive: true });
    writeFileSync(head, kept);
    expect(await store.verify("a")).toMatchObject({ ok: true });
    expect(await pruneRuns({ store })).toMatchObject({ removed: ["a"] });
  });

  it("P-03 what a removal left that was cut off goes with the next one", async () => {
    const { folder, store, run, heads, stateDirectory } = await place();
    await run("a");
    await store.exactTexts?.put("a", [[1, "a secret"]]);
    const texts = join(stateDirectory, "exact-texts");
    expect(readdirSync(texts)).toEqual(["a.jsonl"]);
    const runs = join(folder, ".agent/runs");
    renameSync(join(runs, "a"), join(runs, ".removed-a"));
    expect(await store.list()).toEqual([]);
    await pruneRuns({ store });
    expect(readdirSync(runs)).toEqual([".gitignore"]);
    expect(heads()).toEqual([]);
    expect(readdirSync(texts)).toEqual([]);
  });
});

describe("exact texts that a killed process left behind", () => {
  const left = async () => {
    const world = await place();
    await world.run("a");
    await world.store.exactTexts?.put("a", [[1, { request: "a secret" }]]);
    const texts = () => readdirSync(join(world.stateDirectory, "exact-texts"));
    expect(texts()).toEqual(["a.jsonl"]);
    return { ...world, texts };
  };

  it("P-03 P-04 of an answered run go with the next prune, though the run stays", async () => {
    const { store, texts } = await left();
    expect(await pruneRuns({ store, keep: 1 })).toMatchObject({ removed: [] });
    expect(texts()).toEqual([]);
  });

  it("P-03 P-04 of a run whose folder is gone too, but not those of another project", async () => {
    const { store, texts, folder, stateDirectory } = await left();
    const other = createFileStore({
      root: temporaryFolder({ "other/.agent/runs/.gitignore": "*\n" }),
      directory: "other/.agent/runs",
      stateDirectory,
      redactor: createRedactor({ env: {} }),
    });
    rmSync(join(folder, ".agent/runs/a"), { recursive: true });
    await pruneRuns({ store: other });
    expect(texts()).toEqual(["a.jsonl"]);
    await pruneRuns({ store });
    expect(texts()).toEqual([]);
  });

  it("P-03 those of a run that can be resumed stay", async () => {
    const { store, run, texts } = await left();
    await run("b", ["{", "{", "{", "{"]);
    await store.exactTexts?.put("b", [[1, { request: "another" }]]);
    await pruneRuns({ store, keep: 2 });
    expect(texts()).toEqual(["b.jsonl"]);
    expect(await store.exactTexts?.get("b")).toEqual(new Map([[1, { request: "another" }]]));
  });
});

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
