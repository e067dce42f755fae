import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import { AuditError, createRedactor } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  createFileStore,
  createSequenceModel,
  type Model,
  resumeAgent,
  runAgent,
  summarizeRun,
} from "../index.ts";
import { DEFAULT_BUDGET, MAX_TEXT, type RunStart } from "../internal/index.ts";

const SECRET = "hunter2-hunter2";

function place(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({ "project/.keep": "", ...files });
  const root = join(folder, "project");
  const redactor = createRedactor({ env: { MY_TOKEN: SECRET }, maxStringLength: MAX_TEXT });
  const stateDirectory = join(folder, "state");
  const store = createFileStore({ root, stateDirectory, redactor });
  return { folder, root, store, runs: join(root, ".agent/runs") };
}

const START: RunStart = {
  schemaVersion: 2,
  runId: "run-1",
  request: "go",
  normalizedRequest: "go",
  budget: DEFAULT_BUDGET,
  catalog: { digest: "", tokens: 0, skills: [], omitted: 0 },
  system: "",
  means: { model: "mock:x", protocol: "json", contextTokens: 1000, tools: [], canRun: false },
};

const FIRST = { expectedSequence: 0 };
const start = () => ({ event: "run-start", data: START }) as const;

describe("createFileStore", () => {
  it("P-03 keeps a run in a folder that git does not see", async () => {
    const { store, runs } = place();
    const log = await store.create("run-1");
    await log.append([start()], FIRST);
    log.close();
    log.close();
    expect(readFileSync(join(runs, ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(join(runs, "run-1")).sort()).toEqual(["events.jsonl", "run.json"]);
    const records = (await store.read("run-1")) ?? [];
    expect(JSON.parse(readFileSync(join(runs, "run-1/run.json"), "utf8"))).toEqual(
      summarizeRun(records),
    );
    expect(summarizeRun(records).schemaVersion).toBe(2);
    await expect(store.create("run-1")).rejects.toThrow("EEXIST");
    expect(await store.list()).toEqual(["run-1"]);
    expect(await store.verify("run-1")).toMatchObject({ ok: true, records: 1 });
  });

  it("P-03 a long text is in the record as a whole", async () => {
    const { store } = place();
    const log = await store.create("run-1");
    const system = "s".repeat(60_000);
    const request = `${"r".repeat(90_000)} [redacted]`;
    await log.append([{ event: "run-start", data: { ...START, request, system } }], FIRST);
    log.saveOutput("turn-1.txt", "long");
    log.close();
    const [record] = (await store.read("run-1")) ?? [];
    expect(record?.data).toMatchObject({ request, system, budget: DEFAULT_BUDGET });
  });

  it.each(["", ".", "..", "../x", "a/b", "a\\b", "/x", "-x", ".x", "a..b", "x.", "a\0b", "é"])(
    "X-02 %j names no run",
    async (runId) => {
      const { store } = place({ "project/x/events.jsonl": "" });
      await expect(store.create(runId)).rejects.toThrow(TypeError);
      expect(await store.open(runId)).toBeUndefined();
      expect(await store.read(runId)).toBeUndefined();
      expect(store.folderOf(runId)).toBeUndefined();
    },
  );

  it.each([".agent", ".agent/runs", ".agent/runs/run-1"])(
    "X-02 does not follow %s as a link",
    async (path) => {
      const { store, root, folder } = place();
      mkdirSync(join(folder, "elsewhere"));
      if (path !== ".agent") mkdirSync(join(root, path, ".."), { recursive: true });
      symlinkSync(join(folder, "elsewhere"), join(root, path));
      await expect(store.create("run-1")).rejects.toThrow(/is a link|EEXIST/);
      await expect(store.open("run-1")).rejects.toThrow(AuditError);
      await expect(store.read("run-1")).rejects.toThrow(AuditError);
      expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
    },
  );

  it("X-02 nor a link that stands where a file belongs", async () => {
    const { store, runs, folder } = place({ "victim.txt": "mine" });
    const victim = join(folder, "victim.txt");
    const log = await store.create("run-1");
    await log.append([start()], FIRST);
    symlinkSync(victim, join(runs, "run-1/run.json"));
    mkdirSync(join(runs, "run-1/outputs"));
    symlinkSync(victim, join(runs, "run-1/outputs/turn-1.txt"));
    log.saveOutput("turn-1.txt", "long");
    log.close();
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(readFileSync(join(runs, "run-1/outputs/turn-1.txt"), "utf8")).toBe("long");
    rmSync(join(runs, "run-1/outputs"), { recursive: true });
    symlinkSync(folder, join(runs, "run-1/outputs"));
    const again = await store.open("run-1");
    expect(() => again?.saveOutput("turn-2.txt", "long")).toThrow(AuditError);
    again?.close();
    expect(existsSync(join(folder, "turn-2.txt"))).toBe(false);
  });

  it("X-02 P-03 puts its own .gitignore in the place of what a project left there", async () => {
    const { store, runs, folder } = place({
      "project/.agent/runs/.gitignore": "!*\n",
      "victim.txt": "*\n!*\n",
    });
    const ignored = () => readFileSync(join(runs, ".gitignore"), "utf8");
    (await store.create("run-1")).close();
    expect(ignored()).toBe("*\n");
    rmSync(join(runs, ".gitignore"));
    symlinkSync(join(folder, "victim.txt"), join(runs, ".gitignore"));
    (await store.open("run-1"))?.close();
    expect(ignored()).toBe("*\n");
    expect(readFileSync(join(folder, "victim.txt"), "utf8")).toBe("*\n!*\n");
    rmSync(join(runs, ".gitignore"));
    mkdirSync(join(runs, ".gitignore"));
    await expect(store.create("run-2")).rejects.toThrow(AuditError);
  });

  it("P-03 knows whether run.json is what the record gives", async () => {
    const { store, runs } = place();
    const log = await store.create("run-1");
    await log.append([start()], FIRST);
    log.close();
    expect(await store.isSummarized("run-1")).toBe(true);
    const file = join(runs, "run-1/run.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"go"', '"no"'));
    expect(await store.isSummarized("run-1")).toBe(false);
    writeFileSync(join(runs, "copy"), text);
    rmSync(file);
    expect(await store.isSummarized("run-1")).toBe(false);
    symlinkSync(join(runs, "copy"), file);
    expect(await store.isSummarized("run-1"), "a link").toBe(false);
    await store.summarize("run-1");
    expect(await store.isSummarized("run-1")).toBe(true);
    expect(await store.isSummarized("run-2")).toBe(false);
  });

  it("P-03 what is not as it was written is not opened", async () => {
    const { store, runs } = place();
    const log = await store.create("run-1");
    await log.append([start(), { event: "file-read", data: { path: "a" } }], FIRST);
    await expect(store.open("run-1")).rejects.toMatchObject({ code: "audit-locked" });
    log.close();
    const file = join(runs, "run-1/events.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"request":"go"', '"request":"no"'));
    await expect(store.open("run-1")).rejects.toMatchObject({ code: "audit-damaged" });
    await expect(store.read("run-1")).rejects.toMatchObject({ code: "audit-damaged" });
    writeFileSync(file, text);
    const reopened = await store.open("run-1");
    expect(reopened?.records.map(({ event }) => event)).toEqual(["run-start", "file-read"]);
    reopened?.close();
    renameSync(join(runs, "run-1"), join(runs, "run-2"));
    await expect(store.read("run-2")).rejects.toMatchObject({ code: "audit-damaged" });
  });
});

describe("exact texts", () => {
  const exact = (folder: string) => join(folder, "state/exact-texts");

  it("P-03 P-04 are in a file that only the user can read, outside of the project", async () => {
    const { store, folder, root } = place();
    (await store.create("run-1")).close();
    await store.exactTexts?.put("run-1", [[1, { text: SECRET }]]);
    const file = join(exact(folder), "run-1.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(exact(folder)).mode & 0o077).toBe(0);
    expect(readFileSync(file, "utf8")).toContain(SECRET);
    const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) =>
      join(root, name),
    );
    for (const path of paths.filter((one) => statSync(one).isFile())) {
      expect(readFileSync(path, "utf8")).not.toContain(SECRET);
    }
  });

  it("P-03 a line that a crash left half-written is ignored, and later ones count", async () => {
    const { store, folder } = place();
    const { exactTexts } = store;
    await exactTexts?.put("run-1", [[1, { a: 1 }]]);
    const file = join(exact(folder), "run-1.jsonl");
    writeFileSync(file, '[2,{"b":\n[3,{"c":3}]\n[4,{"d"', { flag: "a" });
    expect([...((await exactTexts?.get("run-1")) ?? [])]).toEqual([
      [1, { a: 1 }],
      [3, { c: 3 }],
    ]);
  });

  it("X-02 no name leads out of their folder, and no link is followed", async () => {
    const { store, folder } = place({ "victim.jsonl": "mine" });
    const { exactTexts } = store;
    await expect(exactTexts?.put("../victim", [[1, {}]])).rejects.toThrow(TypeError);
    expect(await exactTexts?.get("../../victim")).toEqual(new Map());
    await exactTexts?.remove("../../victim");
    mkdirSync(exact(folder), { recursive: true });
    symlinkSync(join(folder, "victim.jsonl"), join(exact(folder), "run-1.jsonl"));
    await expect(exactTexts?.put("run-1", [[1, { text: SECRET }]])).rejects.toThrow("ELOOP");
    expect(readFileSync(join(folder, "victim.jsonl"), "utf8")).toBe("mine");
  });

  it("P-03 what is in the way of them is named, with what to do", async () => {
    const inTheWay = { code: "audit-unwritable", hint: expect.stringContaining("move it away") };
    const { store, folder } = place();
    mkdirSync(join(exact(folder), "run-1.jsonl"), { recursive: true });
    const texts = [[1, { text: SECRET }]] as const;
    await expect(store.exactTexts?.put("run-1", texts)).rejects.toMatchObject(inTheWay);
    await expect(store.exactTexts?.get("run-1")).rejects.toMatchObject(inTheWay);
    await expect(store.exactTexts?.remove("run-1")).rejects.toMatchObject(inTheWay);
    const other = place({ "state/exact-texts": "a file" });
    await expect(other.store.exactTexts?.put("run-1", texts)).rejects.toMatchObject(inTheWay);
    expect(await other.store.exactTexts?.get("run-1")).toEqual(new Map());
    await other.store.exactTexts?.remove("run-1");
    other.store.removeRemains();
  });

  it("P-03 go with the run when it is removed", async () => {
    const { store, folder } = place();
    (await store.create("run-1")).close();
    await store.exactTexts?.put("run-1", [[1, { text: SECRET }]]);
    expect(store.remove("run-1")).toBe(true);
    expect(readdirSync(exact(folder))).toEqual([]);
  });

  it("P-03 of a run are there as long as it can be resumed, and gone once it is answered", async () => {
    const { store, folder } = place();
    const skills = await openSkills({ roots: [] });
    const ids = ["run-1", "run-2"].values();
    const run = (model: Model) =>
      runAgent({
        request: `use ${SECRET}`,
        skills,
        model,
        store,
        ids: () => ids.next().value ?? "",
      });
    expect(await run(createSequenceModel([]))).toMatchObject({ status: "model_failed" });
    expect(readdirSync(exact(folder))).toEqual(["run-1.jsonl"]);
    const answer = { action: "final_answer", answer: `it is ${SECRET}` };
    expect(await run(createSequenceModel([answer]))).toMatchObject({
      status: "answered",
      answer: answer.answer,
    });
    expect(readdirSync(exact(folder))).toEqual(["run-1.jsonl"]);
    for (const runId of ["run-1", "run-2"]) {
      expect(JSON.stringify(await store.read(runId))).not.toContain(SECRET);
    }
    const heard: unknown[] = [];
    const model: Model = {
      ...createSequenceModel([]),
      decide: (request) => {
        heard.push(...request.messages);
        return createSequenceModel([answer]).decide(request);
      },
    };
    const resumed = await resumeAgent({ runId: "run-1", skills, model, store });
    expect(resumed).toMatchObject({ ok: true, status: "answered" });
    expect(heard).toEqual([{ role: "user", content: `use ${SECRET}` }]);
    expect(readdirSync(exact(folder))).toEqual([]);
  });
});
