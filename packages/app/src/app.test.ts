import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { SOURCES } from "../../../scripts/packages.mjs";
import { skillText } from "../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type App, type AppOptions, openApp, type RunUpdate, type StartedRun } from "./index.ts";

const SELECT = { action: "select_skills", skills: [{ name: "report" }] };
const MAKE = {
  action: "run_script",
  skill: { name: "report" },
  relative_path: "scripts/make.py",
  args: ["a b"],
};
const ANSWER = { action: "final_answer", answer: "Made it." };
const SCRIPT = `import sys
print("making", flush=True)
if sys.argv[1] == "second":
    open("second.md", "w").write("# Second\\n")
else:
    open("report.md", "w").write("# Report\\n")
    open("notes.txt", "a").write("more\\n")`;

type Options = Partial<AppOptions>;

/** A project with a skill and a model that follows a list; applications that are closed when the test ends. */
function world(actions: readonly object[] = [SELECT, MAKE, ANSWER]) {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/.agent/skills/report/SKILL.md": skillText("report", "Makes reports. Use for them."),
    "project/.agent/skills/report/scripts/make.py": SCRIPT,
    "project/notes.txt": "notes\n",
    "actions.json": JSON.stringify({ actions }),
  });
  const cwd = join(folder, "project");
  const env = {
    HOME: join(folder, "home"),
    PATH: "/usr/bin:/bin",
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const model = `mock:${join(folder, "actions.json")}`;
  const open = async (options: Options = {}): Promise<App> => {
    const app = await openApp({ cwd, env, trust: true, ...options });
    onTestFinished(() => app.close());
    return app;
  };
  return { folder, cwd, env, model, open };
}

function started<Started extends { readonly ok: boolean }>(given: Started) {
  if (!given.ok) throw new Error(JSON.stringify(given));
  return given as Extract<Started, { readonly ok: true }>;
}

async function all(updates: AsyncIterable<RunUpdate>): Promise<RunUpdate[]> {
  const found: RunUpdate[] = [];
  for await (const update of updates) found.push(update);
  return found;
}

const recorded = (updates: readonly RunUpdate[]) =>
  updates.flatMap((one) => ("sequence" in one ? [one] : []));

const sequences = (updates: readonly RunUpdate[]) =>
  recorded(updates).map(({ sequence }) => sequence);

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Answers each request as it comes, as a second consumer does. */
function answering(app: App, answer: Parameters<App["approvals"]["answer"]>[1]): string[] {
  const seen: string[] = [];
  const look = () => {
    for (const { id, request } of app.approvals.pending()) {
      seen.push(request.tool);
      expect(app.approvals.answer(id, answer)).toEqual({ ok: true });
    }
  };
  onTestFinished(app.approvals.onChange(look));
  look();
  return seen;
}

/** What a reader of a run sees that begins while the run waits for its first approval. */
async function waiting(app: App): Promise<void> {
  await vi.waitFor(() => expect(app.approvals.pending()).toHaveLength(1), { timeout: 60_000 });
}

const bundled = (async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-app-"));
  const input = fileURLToPath(new URL("open-app.ts", import.meta.url));
  const bundle = await rolldown({
    input,
    platform: "node",
    resolve: { alias: SOURCES },
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "app.mjs" });
  await bundle.close();
  return folder;
})();
afterAll(async () => rmSync(await bundled, { recursive: true, force: true }));

/** A process that starts a run, prints its id once it waits, and approves at a word. */
const WORKER = `
  const { openApp } = await import(process.argv[1]);
  const { cwd, env, model } = JSON.parse(process.argv[2]);
  const app = await openApp({ cwd, env, trust: true });
  const run = await app.startRun({ request: "a report", model });
  const answer = () => {
    for (const { id } of app.approvals.pending()) app.approvals.answer(id, { approved: true });
  };
  const wait = setInterval(() => {
    if (app.approvals.pending().length === 0) return;
    clearInterval(wait);
    process.stdout.write(run.id + "\\n");
  }, 20);
  process.stdin.once("data", () => {
    app.approvals.onChange(answer);
    answer();
  });
  await run.result;
  await app.close();
  process.exit(0);
`;

async function startWorker(given: object) {
  const app = join(await bundled, "app.mjs");
  const args = ["--input-type=module", "-e", WORKER, app, JSON.stringify(given)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return { child, runId: line.trim() };
}

describe("openApp", () => {
  it("C-02 gives configuration with origins, skills and their state", async () => {
    const { open, cwd } = world();
    const app = await open({ settings: { execution: { sandbox: "none" } } });
    expect(app.project).toBe(cwd);
    expect(app.configuration.values.execution.sandbox).toBe("none");
    expect(app.configuration.origin("execution.sandbox").layer).toBe("flag");
    expect(app.configuration.problems).toEqual([]);
    expect(await app.skills.list()).toMatchObject([
      { name: "report", trusted: true, enabled: true },
    ]);
    expect((await app.skills.explain("report")).places).toHaveLength(1);
  });

  it("C-02 refuses options that do not exist, with the name that was meant", async () => {
    const { cwd, env } = world();
    await expect(openApp({ cwd, env, trusted: true } as AppOptions)).rejects.toThrow(/"trust"/);
    await expect(openApp({ cwd } as AppOptions)).rejects.toThrow(/env/);
  });

  it("R-12 switches and trust take effect at once", async () => {
    const { open } = world();
    const app = await open({ trust: false });
    expect(await app.skills.list()).toMatchObject([{ trusted: false }]);
    expect(await app.skills.trust("report")).toEqual({ ok: true });
    expect(await app.skills.list()).toMatchObject([{ trusted: true }]);
    expect(await app.skills.untrust("report")).toEqual({ ok: true });
    expect(await app.skills.list()).toMatchObject([{ trusted: false }]);
    expect(await app.skills.trust()).toEqual({ ok: true });
    expect(await app.skills.disable("report")).toEqual({ ok: true, changed: true });
    expect(await app.skills.list()).toMatchObject([{ trusted: true, enabled: false }]);
    expect(await app.skills.enable("nothing")).toMatchObject({ ok: false, code: "no" });
  });
});

describe("a run", () => {
  it("C-01 waits for an approval that a second consumer gives, and is followed from any point", async () => {
    const { open, model } = world();
    const printed = vi.spyOn(process.stdout, "write");
    onTestFinished(() => printed.mockRestore());
    const app = await open();
    const run = started(await app.startRun({ request: "a report", model }));
    await waiting(app);
    const [pending] = app.approvals.pending();
    expect(pending).toMatchObject({ runId: run.id, request: { tool: "run_script" } });
    expect(pending?.request).not.toHaveProperty("signature");
    expect(app.approvals.answer("12345678", { approved: true })).toMatchObject({ ok: false });
    const fromStart = all(app.subscribe(run.id));
    const fromMiddle = all(app.subscribe(run.id, 3));
    const tools = answering(app, { approved: true });
    const result = started(await run.result);
    expect(result).toMatchObject({ status: "answered", answer: "Made it." });
    expect(tools[0]).toBe("run_script");
    const updates = await fromStart;
    const { records } = started(await app.readRun(run.id));
    expect(recorded(updates)).toEqual(records);
    expect(sequences(updates)).toEqual(upTo(records.length));
    expect(sequences(await fromMiddle)).toEqual(upTo(records.length, 4));
    // After the end: the same, without what was only shown.
    expect(await all(app.subscribe(run.id))).toEqual(records);
    expect(await all(app.subscribe(run.id, records.length))).toEqual([]);

    const output = updates.findIndex(({ event }) => event === "script-output");
    expect(updates[output]).toMatchObject({
      data: { runId: run.id, stream: "stdout", text: expect.stringContaining("making") },
    });
    const at = (wanted: string) => updates.findIndex(({ event }) => event === wanted);
    expect(output).toBeGreaterThan(at("script-start"));
    expect(output).toBeLessThan(at("script-end"));
    const text = updates.flatMap((one) => (one.event === "text-delta" ? [one.data.text] : []));
    expect(text.join("")).toContain("Made it.");
    expect(printed).not.toHaveBeenCalled();
  });

  it("X-03 ends as denied when the person says no, with the reason", async () => {
    const { open, model } = world([SELECT, MAKE, MAKE, ANSWER]);
    const app = await open();
    const run = started(await app.startRun({ request: "a report", model }));
    await waiting(app);
    answering(app, { approved: false, reason: "not today" });
    await run.result;
    const { records } = started(await app.readRun(run.id));
    const decision = records.find(({ event }) => event === "approval-decision");
    expect(JSON.stringify(decision?.data)).toContain("not today");
  });

  it("P-06 two at once have records, approvals and deltas of their own", async () => {
    const { open, model, folder } = world();
    // Two that change the same file at once may get into a conflict, which is held for a person.
    const actions = [SELECT, { ...MAKE, args: ["second"] }, ANSWER];
    writeFileSync(join(folder, "second.json"), JSON.stringify({ actions }));
    const models = { one: model, two: `mock:${join(folder, "second.json")}` };
    const app = await open();
    answering(app, { approved: true });
    const runs = await Promise.all(
      Object.entries(models).map(async ([request, name]) =>
        started(await app.startRun({ request, model: name })),
      ),
    );
    const followed = runs.map(({ id }) => all(app.subscribe(id)));
    for (const { result } of runs) expect(await result).toMatchObject({ status: "answered" });
    for (const [i, run] of runs.entries()) {
      const updates = (await followed[i]) ?? [];
      const { records } = started(await app.readRun(run.id));
      expect(recorded(updates)).toEqual(records);
      const others = updates.filter(
        (one) => !("sequence" in one) && (one.data as { runId: string }).runId !== run.id,
      );
      expect(others).toEqual([]);
    }
    expect(new Set((await app.listRuns()).map(({ runId }) => runId))).toEqual(
      new Set(runs.map(({ id }) => id)),
    );
  });

  it("P-06 of another process is followed by its record, from any point, until it ends", async () => {
    const { open, model, cwd, env } = world();
    const { child, runId } = await startWorker({ cwd, env, model });
    const viewer = await open();
    expect(await viewer.listRuns()).toMatchObject([{ runId, isActive: false }]);
    const seen: RunUpdate[] = [];
    const fromStart = (async () => {
      for await (const update of viewer.subscribe(runId)) seen.push(update);
    })();
    const fromMiddle = all(viewer.subscribe(runId, 2));
    await vi.waitFor(() => expect(seen.at(-1)?.event).toBe("approval-request"));
    child.stdin.end("answer\n");
    await fromStart;
    const { records } = started(await viewer.readRun(runId));
    expect(records.at(-1)?.event).toBe("run-end");
    expect(seen).toEqual(records);
    expect(await fromMiddle).toEqual(records.slice(2));
  });

  it("P-06 P-02 of a process that was killed is given up, and can be resumed", async () => {
    const { open, model, cwd, env } = world();
    const { child, runId } = await startWorker({ cwd, env, model });
    const viewer = await open({ approver: "none" });
    const following = all(viewer.subscribe(runId));
    child.kill("SIGKILL");
    const seen = await following;
    expect(seen.at(-1)).toEqual({ event: "run-abandoned", data: { runId } });
    expect(recorded(seen).at(-1)?.event).not.toBe("run-end");
    const resumed = started(await viewer.resumeRun(runId, { model }));
    expect(await resumed.result).toMatchObject({ ok: true, status: "needs_approval" });
  });

  it("P-06 a subscription ends with its signal, and an unknown run is an error", async () => {
    const { open, model } = world();
    const worker = await open();
    const viewer = await open();
    const run = started(await worker.startRun({ request: "a report", model }));
    await waiting(worker);
    for (const app of [worker, viewer]) {
      const controller = new AbortController();
      const { signal } = controller;
      for await (const { event } of app.subscribe(run.id, 0, { signal })) {
        if (event === "approval-request") controller.abort();
      }
    }
    await expect(all(worker.subscribe("nothing"))).rejects.toMatchObject({ code: "run-missing" });
    expect(await worker.readRun("nothing")).toMatchObject({ ok: false });
    run.cancel();
    expect(await run.result).toMatchObject({ status: "canceled" });
    expect(worker.approvals.pending()).toEqual([]);
  });

  it("P-06 is resumed with an approval, or from where it was canceled", async () => {
    const { open, model } = world();
    const app = await open({ approver: "none" });
    const run = started(await app.startRun({ request: "a report", model }));
    const stopped = started(await run.result);
    expect(stopped.status).toBe("needs_approval");
    expect(await app.listRuns()).toMatchObject([{ approval: stopped.approval, isActive: false }]);
    const wrong = await app.resumeRun(run.id, { approve: "12345678", model });
    expect(wrong).toMatchObject({ ok: false, code: "approval-unknown" });
    const before = started(await app.readRun(run.id)).records.length;
    const approve = stopped.approval ?? "";
    const resumed = started(await app.resumeRun(run.id, { approve, model }));
    const more = all(app.subscribe(run.id, before));
    expect(await app.resumeRun(run.id, { model })).toMatchObject({ code: "run-active" });
    const ended = started(await resumed.result);
    expect(ended.status).toBe("needs_approval");
    expect(ended.heldChanges).toBe(2);
    const { records } = started(await app.readRun(run.id));
    expect(recorded(await more)).toEqual(records.slice(before));
    expect(await app.replayRun(run.id)).toMatchObject({ ok: true });
  });

  it("X-11 has held changes that are listed, shown, kept, undone and discarded", async () => {
    const { open, model, cwd } = world();
    const app = await open({ approver: "none", approve: ["run_script"] });
    const run = started(await app.startRun({ request: "a report", model }));
    await run.result;
    const listed = started(await app.changes.list(run.id));
    expect(listed.pending.map(({ path, kind }) => [path, kind])).toEqual(
      expect.arrayContaining([
        ["notes.txt", "modified"],
        ["report.md", "created"],
      ]),
    );
    expect(started(await app.changes.diff(run.id, ["notes.txt"])).text).toContain("+more");
    expect(await app.changes.keep(run.id, ["report.md"])).toMatchObject({
      ok: true,
      applied: [{ path: "report.md" }],
      conflicts: [],
    });
    expect(readFileSync(join(cwd, "report.md"), "utf8")).toBe("# Report\n");
    expect(started(await app.changes.undo(run.id)).applied).toHaveLength(1);
    expect(existsSync(join(cwd, "report.md"))).toBe(false);
    expect(await app.changes.discard(run.id)).toMatchObject({ ok: true });
    expect(started(await app.changes.list(run.id)).pending).toEqual([]);
    expect(await app.changes.list("nothing")).toMatchObject({ ok: false });
  });

  it("M-02 that cannot begin is a value with what to do", async () => {
    const { open, model } = world();
    const app = await open();
    const request = "a report";
    expect(await app.startRun({ request, model: "mock:/nowhere.json" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("nowhere"),
    });
    const attachments = ["../actions.json"];
    expect(await app.startRun({ request, model, attachments })).toMatchObject({ ok: false });
    expect(() => app.startRun({ request, modle: model } as never)).toThrow(/"model"/);
    expect(await app.listRuns()).toEqual([]);
  });
});

describe("chat", () => {
  it("C-01 goes on from the messages before, also when it is opened again", async () => {
    const { open, model } = world([ANSWER]);
    const app = await open();
    const chat = started(await app.chat(undefined, { model }));
    const say = async (request: string): Promise<StartedRun> =>
      started(await chat.say({ request }));
    const first = await say("first");
    expect(await chat.say({ request: "too early" })).toMatchObject({ code: "chat-busy" });
    await first.result;
    await (
      await say("second")
    ).result;
    expect(chat.exchanges.map(({ request }) => request)).toEqual(["first", "second"]);
    expect(chat.id).toBe(first.id);
    const again = started(await (await open()).chat(chat.id, { model }));
    expect(again.exchanges).toEqual(chat.exchanges);
    expect(await app.chat("nothing")).toMatchObject({ ok: false });
  });
});

describe("packs and checks", () => {
  it("K-01 installs, verifies, finds nothing newer, and undoes", async () => {
    const { open, folder } = world();
    const source = temporaryFolder({ "other/SKILL.md": skillText("other") });
    const app = await open();
    const dry = await app.packs.install(source, { dryRun: true });
    expect(dry).toMatchObject({ ok: true });
    expect(await app.skills.list()).toHaveLength(1);
    expect(await app.packs.install(source)).toMatchObject({ ok: true });
    expect((await app.skills.list()).map(({ name }) => name)).toEqual(["other", "report"]);
    expect(await app.packs.verify(["other"])).toMatchObject({ ok: true });
    expect(await app.packs.outdated()).toMatchObject({ ok: true });
    expect(await app.packs.undo()).toMatchObject({ ok: true });
    expect(await app.skills.list()).toHaveLength(1);
    expect(await app.packs.install(join(folder, "nothing"))).toMatchObject({ ok: false });
  });

  it("C-01 says what skills need on this machine, as data", async () => {
    const { open } = world();
    const checks = await (await open()).doctor();
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Node", "configuration", "trust", "policy", "skills"]),
    );
  });
});
