import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatCompletion } from "../../../../test/support/model-server/chat-completions.ts";
import { startModelServer } from "../../../../test/support/model-server/model-server.ts";
import { SOME_USAGE } from "../../../../test/support/model-server/scripted-answer.ts";
import { runCli } from "../../../../test/support/run-cli.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const SKILLS = "project/.agent/skills";
const SELECT = { action: "select_skills", skills: [{ name: "pdf" }] };
const READ = { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/a.md" };
const JOIN = {
  action: "run_script",
  skill: { name: "pdf" },
  relative_path: "scripts/join.py",
  args: ["a", "b"],
};
const ANSWER = { action: "final_answer", answer: "all \u001b[31mdone" };

/** The user's own configuration; that of a project could only narrow. */
function world(actions: readonly unknown[] = [SELECT, READ, JOIN, ANSWER], configuration = {}) {
  const folder = temporaryFolder({
    [`${SKILLS}/pdf/SKILL.md`]: skillText("pdf", "Merges PDF files. Use to join them."),
    [`${SKILLS}/pdf/references/a.md`]: "# A\n",
    [`${SKILLS}/pdf/scripts/join.py`]: "import sys; print('joined', *sys.argv[1:])\n",
    [`${SKILLS}/apart/SKILL.md`]: skillText(
      "apart",
      "Works apart. Use for that.",
      "run-mode: subagent\n",
    ),
    [`${SKILLS}/apart/scripts/join.py`]: "print('apart')\n",
    "config.json": JSON.stringify(configuration),
    "actions.json": JSON.stringify({ actions }),
  });
  const project = join(folder, "project");
  const env = {
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const call = (...args: string[]) =>
    runCli([...args, "--config", join(folder, "config.json")], { cwd: project, env });
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { exitCode, stdout } = await call(...args, "--json");
    return { exitCode, ...(JSON.parse(stdout) as Record<string, unknown>) };
  };
  const model = ["--trust", "--model", `mock:${join(folder, "actions.json")}`];
  const runs = join(project, ".agent/runs");
  const ids = () =>
    readdirSync(runs)
      .filter((name) => !name.startsWith("."))
      .sort();
  const stopped = async () => {
    const { runId, approval } = await json("run", "join them", ...model);
    return { runId: String(runId), approval: String(approval) };
  };
  return { folder, project, env, call, json, model, runs, ids, stopped };
}

describe("a run that is out of budget", () => {
  it("A-04 goes on when it is given more, and ends again when it is not", async () => {
    const { json, model } = world([SELECT, READ, ANSWER]);
    const { runId, status } = await json("run", "join them", ...model, "--budget-turns", "1");
    expect(status).toBe("budget_exhausted");
    const again = await json("runs", "resume", String(runId), ...model);
    expect(again).toMatchObject({ exitCode: 1, status: "budget_exhausted" });
    const more = ["--budget-turns", "9"];
    const resumed = await json("runs", "resume", String(runId), ...model, ...more);
    expect(resumed).toMatchObject({ exitCode: 0, status: "answered" });
    expect(await json("runs", "replay", String(runId))).toMatchObject({ exitCode: 0 });
  });
});

describe("retention", () => {
  it("P-03 C-02 keeps as many runs as the user wants, without being asked again", async () => {
    const { call, model, ids } = world([ANSWER], { runs: { keep: 2 } });
    for (let i = 0; i < 4; i++) await call("run", `request ${i}`, ...model);
    expect(ids()).toHaveLength(2);
    expect((await call("runs", "prune", "--keep", "1")).exitCode).toBe(0);
    expect(ids()).toHaveLength(1);
    expect((await call("runs", "prune")).exitCode).toBe(0);
  });
});

describe("a model over HTTP", () => {
  it("M-03 M-04 D-04 is asked again after a 429, sees the skill, and its use is counted", async () => {
    const server = await startModelServer();
    const call = (id: string, name: string, input: unknown) =>
      chatCompletion({ calls: [{ id, name, input }], usage: SOME_USAGE });
    server.answer(
      { status: 429, headers: { "retry-after-ms": "5" }, chunks: ["slow down"] },
      call("1", "select_skills", { skills: [{ name: "pdf" }] }),
      call("2", "final_answer", { answer: "done" }),
    );
    const params = { model: "test", baseUrl: `${server.url}/v1` };
    const { json } = world([], { model: { provider: "openai-compatible", params } });
    const result = await json("run", "join them", "--trust");
    expect(result).toMatchObject({ exitCode: 0, status: "answered", answer: "done" });
    expect(result["usage"]).toMatchObject({ modelCalls: 3, turns: 2 });
    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill("/v1/chat/completions"));
    expect(server.requests[1]?.text).not.toContain("<skill_content");
    expect(server.requests[2]?.text).toContain("<skill_content name=");
  });
});

describe("a model at an own address", () => {
  it("A-04 C-02 keeps a budget of money at the price that the user gives", async () => {
    const server = await startModelServer();
    const calls = [{ id: "1", name: "final_answer", input: { answer: "done" } }];
    server.answer(chatCompletion({ calls, usage: SOME_USAGE }));
    const params = { model: "test", baseUrl: `${server.url}/v1` };
    const provider = "openai-compatible";
    const without = world([], { model: { provider, params } });
    expect(await without.json("run", "x", "--budget-cost", "1")).toMatchObject({
      exitCode: 1,
      status: "error",
      reason: expect.stringContaining("price"),
    });
    const prices = { "openai-compatible:*": { input: 1_000_000, output: 0 } };
    const { json } = world([], { model: { provider, params, prices } });
    const cheap = await json("run", "x", "--budget-cost", "1000000");
    expect(cheap).toMatchObject({ exitCode: 0, answer: "done" });
    const { cost } = cheap["usage"] as { cost: number };
    expect(cost).toBeGreaterThan(1);
  });
});

describe("skillwright run", () => {
  it("A-01 P-03 prints the answer alone on stdout, and what it does on stderr", async () => {
    const { call, model, runs, ids } = world();
    const { exitCode, stdout, stderr } = await call(
      "run",
      "join them",
      "--yes=run_script",
      ...model,
    );
    // What a terminal would obey is no part of a text for people.
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "all [31mdone\n" });
    expect(stderr.split("\n")).toEqual([
      "skills  2 to choose from",
      "skill   pdf (project)",
      "read    pdf/references/a.md",
      "run     pdf/scripts/join.py a b",
      "script  pdf/scripts/join.py (exit 0)",
      "",
    ]);
    expect(readFileSync(join(runs, ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(join(runs, ids()[0] ?? "")).sort()).toEqual(["events.jsonl", "run.json"]);
    const quiet = await call("run", "join them", "--yes=run_script", "--quiet", ...model);
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("A-01 --json gives one document of the promised shape", async () => {
    const { json, model, project } = world();
    const result = await json("run", "join them", "--yes=run_script", ...model);
    expect(result).toMatchObject({
      exitCode: 0,
      schemaVersion: 1,
      status: "answered",
      skills: ["pdf"],
      steps: 3,
      usage: { turns: 4, scripts: 1 },
    });
    expect(result["runDir"]).toBe(join(project, ".agent/runs", String(result["runId"])));
  });

  it("A-04 each end has its exit code", async () => {
    const script = [SELECT, JOIN, ANSWER];
    const needs = world(script);
    expect(await needs.json("run", "x", ...needs.model)).toMatchObject({
      exitCode: 3,
      status: "needs_approval",
    });
    const failed = world([SELECT]);
    expect(await failed.json("run", "x", ...failed.model)).toMatchObject({
      exitCode: 1,
      status: "model_failed",
    });
    const spent = world();
    expect(await spent.json("run", "x", "--budget-turns", "1", ...spent.model)).toMatchObject({
      exitCode: 1,
      status: "budget_exhausted",
    });
    const invalid = world(Array.from({ length: 9 }, (_, i) => `{"action": "none ${i}"`));
    expect(await invalid.json("run", "x", ...invalid.model)).toMatchObject({
      exitCode: 1,
      status: "invalid_output",
    });
  });

  it("X-03 a missing sandbox ends it with 4, and it goes on once there is one", async () => {
    const { call, json, model, ids } = world();
    const missing = ["--sandbox", "sandbox-runtime", "--yes=run_script", ...model];
    const { exitCode, stderr } = await call("run", "join", ...missing);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/error: [^]*\nhint: .*\n {2}then .*skillwright runs resume/),
    });
    const [runId = ""] = ids();
    expect(await json("runs", "show", runId)).toMatchObject({ status: "error", scripts: [] });
    expect(await json("runs", "resume", runId, ...missing)).toMatchObject({
      exitCode: 4,
      runId,
      status: "error",
      code: expect.stringMatching(/^sandbox-/),
      reason: expect.stringMatching(/./),
      hint: expect.stringContaining(`then continue with: skillwright runs resume ${runId}`),
    });
    expect(await json("runs", "replay", runId)).toMatchObject({ exitCode: 0 });
    expect(await json("runs", "resume", runId, "--yes=run_script", ...model)).toMatchObject({
      exitCode: 0,
      status: "answered",
    });
  });

  it("C-01 says what is wrong with how it was called, before anything is done", async () => {
    const { call, model, runs } = world();
    for (const wrong of [
      ["--budget-turns", "0"],
      ["--budget-time", "soon"],
      ["--budget-cost", "-1"],
      ["--budget-tool-calls", "few"],
      ["--budget-scripts", "-1"],
      ["--yes"],
      ["--yes=nothing"],
      ["--yes=run_script", "--yes"],
      ["--writable", ".."],
      ["--writable", tmpdir()],
      ["--sandbox", "nothing"],
      ["--model", "antropic:x"],
      ["--model", "mock:/nowhere.json"],
    ]) {
      expect(await call("run", "x", ...model, ...wrong), wrong.join(" ")).toMatchObject({
        exitCode: 2,
      });
    }
    expect(existsSync(runs)).toBe(false);
    const taken = await call("run", "--yes", "join", ...model);
    expect(taken).toMatchObject({ exitCode: 2 });
    expect(taken.stderr).toContain("--yes names join, which is not a tool");
    const outside = await call("run", "x", ...model, "--writable", "..");
    expect(outside.stderr).toContain("--writable .. is outside of the working directory");
  });

  it("P-04 several --yes add up", async () => {
    const { json, model } = world([SELECT, JOIN, ANSWER]);
    const flags = ["--yes=run_script", "--yes=write_file"];
    expect(await json("run", "join them", ...flags, ...model)).toMatchObject({ exitCode: 0 });
  });

  it("A-04 limits tool calls and scripts", async () => {
    const { json, model } = world([SELECT, JOIN, ANSWER]);
    const args = ["run", "join them", "--yes=run_script", ...model];
    const without = await json(...args, "--budget-scripts", "0");
    expect(without).toMatchObject({ exitCode: 0 });
    const shown = await json("runs", "show", String(without["runId"]));
    expect(shown["scripts"]).toEqual([]);
    expect(shown["decisions"]).toMatchObject([{}, { action: "run_script", code: "budget" }]);
    // Nothing but an answer is left at once, and this model has none yet.
    expect(await json(...args, "--budget-tool-calls", "0")).toMatchObject({
      exitCode: 1,
      status: "budget_exhausted",
      reason: expect.stringContaining("tool calls"),
    });
  });

  it("P-03 says which files of the workspace were read, and which were written", async () => {
    const WRITE = { action: "write_file", path: "out.txt", content: "x" };
    const { call, json, model, project } = world(
      [{ action: "read_file", path: "in.txt" }, WRITE, ANSWER],
      { execution: { require_approval_for: [] }, policy: { allow: ["Write"] } },
    );
    writeFileSync(join(project, "in.txt"), "mine");
    const { stderr } = await call("run", "x", "--yes=write_file", ...model);
    expect(stderr.split("\n")).toEqual([
      "skills  2 to choose from",
      "read    in.txt",
      "wrote   out.txt",
      "",
    ]);
    const [latest] = (await json("runs", "list"))["runs"] as { runId: string }[];
    const shown = await json("runs", "show", latest?.runId ?? "");
    expect(shown).toMatchObject({
      resources: [],
      files: [
        { path: "in.txt", act: "read" },
        { path: "out.txt", act: "write" },
      ],
    });
    expect(JSON.stringify(shown["timeline"])).not.toContain("undefined");
  });

  it("M-02 says that the embedded model answers, and A-08 takes a skill by its name", async () => {
    const { call } = world();
    const { exitCode, stderr } = await call("run", "/pdf a b", "--trust", "--model", "offline");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("offline demo model");
    expect(stderr).toContain("pdf (project, by name)");
  });

  it("A-08 says that a skill is not for people, instead of naming it once more", async () => {
    const { call, model, project } = world();
    const hidden = join(project, ".agent/skills/hid");
    mkdirSync(hidden);
    const text = skillText("hid", "Is hidden. Use for that.", "user-invocable: false\n");
    writeFileSync(join(hidden, "SKILL.md"), text);
    const { exitCode, stderr } = await call("run", "/hid", ...model);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the skill hid cannot be called by its name");
    expect(stderr).not.toContain("did you mean");
    expect((await call("run", "/hidd", ...model)).stderr).not.toContain("/hid?");
    expect((await call("run", "/pdff", ...model)).stderr).toContain("did you mean /pdf?");
  });

  it("R-12 leaves skills of a project out that nobody trusts, and answers all the same", async () => {
    const { call, folder } = world([ANSWER]);
    const file = join(folder, "actions.json");
    const { exitCode, stderr } = await call("run", "hello", "--model", `mock:${file}`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("Left out: 2 skills");
    const quiet = await call("run", "hello", "--quiet", "--model", `mock:${file}`);
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("R-12 R-06 says of a skill that is not trusted or disabled what it is, and what helps", async () => {
    const { call, folder, model } = world([ANSWER]);
    const offline = ["--model", `mock:${join(folder, "actions.json")}`];
    for (const words of [["x", "--skill", "pdf"], ["/pdf x"]]) {
      expect(await call("run", ...words, ...offline)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/pdf is there, but not trusted[^]*skillwright trust/),
      });
    }
    expect(await call("disable", "pdf")).toMatchObject({ exitCode: 0 });
    for (const words of [["x", "--skill", "pdf"], ["/pdf x"]]) {
      expect(await call("run", ...words, ...model)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/pdf is disabled[^]*skillwright enable pdf/),
      });
    }
    expect(await call("run", "/pdf x", "--no-skills", ...model)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--no-skills switches all off"),
    });
  });
});

describe("an approval that survives the process", () => {
  it("P-02 prints the command that goes on, which counts once and for this call", async () => {
    const { call, json, model, stopped } = world();
    const { runId, approval } = await stopped();
    const { stderr } = await call("run", "again", ...model);
    expect(stderr).toMatch(/Continue it with: skillwright runs resume \S+ --approve \S+/);
    const wrong = await call("runs", "resume", runId, "--approve", "other", ...model);
    expect(wrong).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("runs show") });
    expect(wrong.stderr, "nothing to approve without a look").not.toContain(approval);
    const done = await json("runs", "resume", runId, "--approve", approval, ...model);
    expect(done).toMatchObject({ exitCode: 0, status: "answered" });
    const again = await call("runs", "resume", runId, "--approve", approval, ...model);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is answered") });
  });

  it("P-02 also for a file that is to be written, with all that is in it", async () => {
    const content = "long line of a text\n".repeat(2000);
    const { json, model, stopped, project } = world([
      { action: "write_file", path: "new.txt", content },
      ANSWER,
    ]);
    const { runId, approval } = await stopped();
    expect(existsSync(join(project, "new.txt"))).toBe(false);
    const done = await json("runs", "resume", runId, "--approve", approval, ...model);
    expect(done).toMatchObject({ exitCode: 0, status: "answered" });
    expect(readFileSync(join(project, "new.txt"), "utf8")).toBe(content);
  });

  it("P-02 A-07 also for a child run, through its parent", async () => {
    const part = { ...JOIN, skill: { name: "apart" }, args: [] };
    const { json, call, model, stopped, ids } = world([
      { action: "select_skills", skills: [{ name: "apart" }] },
      part,
      { action: "final_answer", answer: "part" },
      { action: "final_answer", answer: "whole" },
    ]);
    const { runId, approval } = await stopped();
    expect(ids()).toEqual([runId, `${runId}.1`]);
    const child = await call("runs", "resume", `${runId}.1`, "--approve", approval, ...model);
    expect(child).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(runId) });
    const done = await json("runs", "resume", runId, "--approve", approval, ...model);
    expect(done).toMatchObject({ exitCode: 0, status: "answered", answer: "whole" });
    expect(await json("runs", "show", `${runId}.1`)).toMatchObject({
      status: "answered",
      scripts: [{ skill: "apart", exitCode: 0 }],
    });
    for (const one of [runId, `${runId}.1`]) {
      expect(await json("runs", "replay", one)).toMatchObject({ exitCode: 0, ok: true });
    }
  });

  it("P-02 an edited record is no approval", async () => {
    const { call, model, stopped, runs } = world();
    const { runId, approval } = await stopped();
    const file = join(runs, runId, "events.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"b"', '"c"'));
    const refused = await call("runs", "resume", runId, "--approve", approval, ...model);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("not as it was"),
    });
    expect(await call("runs", "verify")).toMatchObject({ exitCode: 1 });
    expect((await call("runs", "list")).stdout).toContain("damaged");
  });

  it("P-02 nor does a script that was changed since run with the old approval", async () => {
    const { json, model, stopped, project } = world();
    const { runId, approval } = await stopped();
    const script = join(project, ".agent/skills/pdf/scripts/join.py");
    writeFileSync(script, "open('stolen', 'w')\n");
    const asked = await json("runs", "resume", runId, "--approve", approval, ...model);
    expect(asked).toMatchObject({ exitCode: 3, status: "needs_approval" });
    expect(asked["approval"]).not.toBe(approval);
    expect(existsSync(join(project, "stolen"))).toBe(false);
  });

  it("P-02 approvals.terminalOnly takes no approval from a command line", async () => {
    const { call, model, stopped } = world(undefined, { approvals: { terminalOnly: true } });
    const { runId, approval } = await stopped();
    const { stderr } = await call("run", "again", ...model);
    expect(stderr).toMatch(/Continue it in a terminal with: skillwright runs resume \S+ --config/);
    expect(stderr).not.toContain("--approve");
    const refused = await call("runs", "resume", runId, "--approve", approval, ...model);
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("terminal") });
  });
});

describe("a run that goes on in another world", () => {
  it("D-04 a skill that changed is delivered anew, one that is gone is dropped", async () => {
    const { json, call, model, stopped, project } = world();
    const { runId } = await stopped();
    const file = join(project, ".agent/skills/pdf/SKILL.md");
    appendFileSync(file, "Be careful.\n");
    await json("runs", "resume", runId, ...model);
    expect((await call("runs", "show", runId)).stdout).toContain("pdf (project, changed)");
    rmSync(join(project, ".agent/skills/pdf"), { recursive: true });
    const last = await json("runs", "resume", runId, ...model);
    expect(last).toMatchObject({ exitCode: 0, status: "answered", skills: [] });
    const { stdout } = await call("runs", "show", runId);
    expect(stdout).toContain("pdf is no longer active");
    expect(await json("runs", "replay", runId)).toMatchObject({ exitCode: 0 });
  });

  it("R-12 a project that is not trusted any more loses its skills", async () => {
    const { json, model, stopped } = world();
    const { runId } = await stopped();
    const untrusted = model.filter((word) => word !== "--trust");
    const result = await json("runs", "resume", runId, ...untrusted);
    expect(result).toMatchObject({ status: "answered", skills: [] });
  });
});

describe("skillwright runs", () => {
  it("P-03 lists, shows, verifies and replays", async () => {
    const { call, json, model, runs } = world();
    await call("run", "join them", "--yes=run_script", ...model);
    const { runs: listed } = await json("runs", "list");
    const [run] = listed as { runId: string }[];
    const runId = run?.runId ?? "";
    expect(run).toMatchObject({ status: "answered", request: "join them", skills: ["pdf"] });
    const shown = await json("runs", "show", runId.slice(0, 18));
    expect(shown).toMatchObject({
      status: "answered",
      resources: [{ skill: "pdf", path: "references/a.md", ok: true }],
      scripts: [{ script: "scripts/join.py", args: ["a", "b"], exitCode: 0 }],
    });
    const { stdout } = await call("runs", "show", runId);
    expect(stdout).toContain("decide    run_script pdf/scripts/join.py a b");
    expect(stdout, "what a terminal would obey").not.toContain("\u001b");
    rmSync(join(runs, runId, "run.json"));
    expect(await json("runs", "verify", runId, "--remake")).toMatchObject({ exitCode: 0 });
    const remade = JSON.parse(readFileSync(join(runs, runId, "run.json"), "utf8")) as object;
    expect(shown).toMatchObject(remade);
    expect(await call("runs", "replay", runId)).toMatchObject({ exitCode: 0 });
    expect(await call("runs", "show", "nothing")).toMatchObject({ exitCode: 1 });
  });

  it("P-03 resume without a name continues the latest run that is not finished", async () => {
    const { call, model, stopped } = world();
    expect(await call("runs", "resume")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("every run of this project is finished"),
    });
    const { runId, approval } = await stopped();
    await call("run", "join them", "--yes=run_script", ...model);
    const resumed = await call("runs", "resume", "--approve", approval, ...model);
    expect(resumed).toMatchObject({ exitCode: 0 });
    expect(resumed.stderr).toContain(`Continuing ${runId}.`);
    expect(await call("runs", "resume")).toMatchObject({ exitCode: 1 });
  });

  it("P-03 names the last line of a traceback, whatever else was printed", async () => {
    const { call, model, project } = world();
    const script = join(project, ".agent/skills/pdf/scripts/join.py");
    writeFileSync(script, "print('half done')\nraise ValueError('no page 7')\n");
    const { stderr } = await call("run", "join them", "--yes=run_script", ...model);
    expect(stderr).toContain("failed  ValueError: no page 7\n");
  });

  it("P-03 says in a line each what ran and why a call failed, however long they are", async () => {
    const argv = ["bash", "-c", `true\n${"# a\n".repeat(300)}`];
    const actions = [
      { action: "run_command", argv },
      { action: "read_file", path: "none.txt" },
      { action: "final_answer", answer: "done" },
    ];
    const { call, model } = world(actions);
    const { stderr } = await call("run", "do it", "--yes=run_command", ...model);
    expect(stderr).toMatch(/^run     bash -c 'true # a [^\n]{1,300}…$/m);
    expect(stderr).toMatch(/^failed  Error: "none\.txt" does not exist\./m);
    expect(stderr).not.toContain("u{a}");
  });

  it("P-03 shows what a model wrote beside its calls", async () => {
    const server = await startModelServer();
    server.answer(
      chatCompletion({
        text: "I load the skill first.",
        calls: [{ id: "c1", name: "select_skills", input: { skills: ["pdf"] } }],
      }),
      chatCompletion({ text: "Done." }),
    );
    const params = { model: "test", baseUrl: `${server.url}/v1` };
    const { call, ids } = world([], { model: { provider: "openai-compatible", params } });
    expect(await call("run", "join them", "--trust")).toMatchObject({ exitCode: 0 });
    const { stdout } = await call("runs", "show", ids()[0] ?? "");
    expect(stdout).toMatch(/model {5}\d+ \+ \d+ tokens: I load the skill first\.\n/);
  });

  it("P-03 verify sees a run.json that somebody edited, and makes it anew", async () => {
    const { call, json, model, runs, ids } = world([ANSWER]);
    await call("run", "hello", ...model);
    const [runId = ""] = ids();
    expect(await json("runs", "verify", runId)).toMatchObject({ exitCode: 0 });
    const file = join(runs, runId, "run.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"hello"', '"other"'));
    const edited = await call("runs", "verify");
    expect(edited).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("--remake") });
    rmSync(file);
    expect(await json("runs", "verify", runId)).toMatchObject({ exitCode: 1 });
    expect(await json("runs", "verify", runId, "--remake")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("A-09 P-03 keeps a long output beside the record, and looks after it", async () => {
    const long = { ...JOIN, relative_path: "scripts/long.py", args: [] };
    const { json, model, project, runs, ids } = world([SELECT, long, ANSWER]);
    writeFileSync(join(project, ".agent/skills/pdf/scripts/long.py"), "print('line\\n' * 9000)\n");
    expect(await json("run", "x", "--yes=run_script", ...model)).toMatchObject({ exitCode: 0 });
    const [runId = ""] = ids();
    const output = join(runs, runId, "outputs/turn-2.txt");
    expect(readFileSync(output, "utf8")).toContain("line\n".repeat(8000));
    expect(await json("runs", "verify", runId)).toMatchObject({ exitCode: 0 });
    expect(await json("runs", "replay", runId)).toMatchObject({ exitCode: 0 });
    appendFileSync(output, "more");
    expect(await json("runs", "verify", runId)).toMatchObject({
      exitCode: 1,
      runs: [{ problems: ["outputs/turn-2.txt is not as it was written"] }],
    });
  });

  it("P-03 prunes, but not what waits for an approval unless asked", async () => {
    const { call, json, model, stopped, ids, runs, folder } = world();
    const { runId } = await stopped();
    await call("run", "join them", "--yes=run_script", ...model);
    expect(await call("runs", "prune")).toMatchObject({ exitCode: 2 });
    expect(await json("runs", "prune", "--older-than", "1d")).toMatchObject({ removed: [] });
    expect(await json("runs", "prune", "--keep", "0")).toMatchObject({
      kept: [{ runId, reason: "waiting" }],
    });
    expect(ids()).toEqual([runId]);
    expect(await json("runs", "prune", "--keep", "0", "--waiting")).toMatchObject({
      removed: [runId],
    });
    expect(readdirSync(runs)).toEqual([".gitignore"]);
    const heads = join(folder, "state/skillwright/audit/heads");
    expect(readdirSync(heads).filter((name) => name.endsWith(".head"))).toEqual([]);
  });
});

describe("a project that is hostile", () => {
  it.each([".agent/runs", ".agent"])("X-02 %s as a link leads nowhere", async (path) => {
    const { call, folder, project, model } = world([ANSWER]);
    const elsewhere = join(folder, "elsewhere");
    if (path === ".agent") cpSync(join(project, ".agent"), elsewhere, { recursive: true });
    else mkdirSync(elsewhere);
    rmSync(join(project, path), { recursive: true, force: true });
    symlinkSync(elsewhere, join(project, path));
    const before = readdirSync(elsewhere);
    const { exitCode, stderr } = await call("run", "hello", ...model);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is a link"),
    });
    expect(readdirSync(elsewhere)).toEqual(before);
  });

  it("P-03 a run that it brought along is not believed", async () => {
    const { call, model, runs, ids } = world([ANSWER]);
    await call("run", "hello", ...model);
    const [runId = ""] = ids();
    cpSync(join(runs, runId), join(runs, "planted"), { recursive: true });
    for (const command of [["show"], ["replay"], ["resume", ...model]]) {
      const [name = "", ...rest] = command;
      const { exitCode, stdout } = await call("runs", name, "planted", ...rest);
      expect({ name, exitCode, stdout }).toMatchObject({ exitCode: 1, stdout: "" });
    }
    expect(await call("runs", "show", "../../etc")).toMatchObject({ exitCode: 1 });
  });

  it("P-03 nor is a folder in which nothing was recorded", async () => {
    const { call, runs, model } = world([ANSWER]);
    mkdirSync(join(runs, "empty"), { recursive: true });
    for (const command of ["show", "replay", "resume"]) {
      const { exitCode, stdout, stderr } = await call(
        "runs",
        command,
        "empty",
        ...(command === "resume" ? model : []),
      );
      expect({ command, exitCode, stdout }).toMatchObject({ exitCode: 1, stdout: "" });
      expect(stderr).toContain("no record");
    }
    expect(await call("runs", "verify")).toMatchObject({
      exitCode: 0,
      stdout: "empty  no record: it was cut off before it began\n",
    });
    expect(await call("runs", "prune", "--keep", "0")).toMatchObject({
      stdout: expect.stringMatching(/^1 removed/),
    });
    expect(existsSync(join(runs, "empty"))).toBe(false);
  });

  it("P-03 a .gitignore that lets records in is replaced", async () => {
    const { call, runs, model } = world([ANSWER]);
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, ".gitignore"), "!*\n");
    await call("run", "hello", ...model);
    expect(readFileSync(join(runs, ".gitignore"), "utf8")).toBe("*\n");
  });
});

describe("commands in a run", () => {
  const COMMAND = { action: "run_command", argv: ["echo", "hello"] };
  const offered = (runs: string, id: unknown) => {
    const [start = "{}"] = readFileSync(join(runs, String(id), "events.jsonl"), "utf8").split("\n");
    const { data } = JSON.parse(start) as { data: { means: { tools: { name: string }[] } } };
    return data.means.tools.map(({ name }) => name);
  };

  it("X-10 P-02 run_command is offered where there is a sandbox, and asks", async () => {
    const { json, model, runs } = world([COMMAND, ANSWER]);
    const asked = await json("run", "x", ...model);
    expect(asked).toMatchObject({ exitCode: 3, approval: expect.any(String) });
    expect(offered(runs, asked["runId"])).toContain("run_command");
    const approved = await json("run", "x", "--yes=run_command", ...model);
    expect(approved).toMatchObject({ exitCode: 0, status: "answered" });
  });

  it.each([
    ["configured off", { workspace: { enableRunCommand: false } }, []],
    ["without a sandbox", {}, ["--sandbox", "none"]],
  ])("X-10 run_command is not offered: %s", async (_, configuration, args) => {
    const { json, model, runs } = world([ANSWER], configuration);
    const { runId } = await json("run", "x", ...args, ...model);
    expect(offered(runs, runId)).not.toContain("run_command");
    expect(offered(runs, runId)).toContain("edit_file");
  });
});

describe("a skill that declares its tools", () => {
  const WRITE = { action: "write_file", path: "out.txt", content: "x" };
  const actions = [SELECT, WRITE, ANSWER];

  function declaring(configuration = {}) {
    const made = world(actions, configuration);
    const file = join(made.folder, SKILLS, "pdf/SKILL.md");
    writeFileSync(file, skillText("pdf", "Merges.", "allowed-tools: Read\n"));
    return { ...made, isWritten: () => existsSync(join(made.project, "out.txt")) };
  }

  it("P-01 a tool that it does not list asks, and --yes answers", async () => {
    const { call, json, model, isWritten } = declaring();
    expect(await json("run", "x", ...model)).toMatchObject({ exitCode: 3 });
    expect(isWritten()).toBe(false);
    expect((await call("run", "x", "--yes=write_file", ...model)).exitCode).toBe(0);
    expect(isWritten()).toBe(true);
  });

  it("P-01 with `restrict`, a tool that it does not declare cannot be called on its behalf", async () => {
    const { call, model, isWritten } = declaring({ policy: { allowedTools: "restrict" } });
    await call("run", "x", "--yes=write_file", ...model);
    expect(isWritten()).toBe(false);
  });
});
