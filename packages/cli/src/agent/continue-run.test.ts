import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatCompletion } from "../../../../test/support/model-server/chat-completions.ts";
import { startModelServer } from "../../../../test/support/model-server/model-server.ts";
import { SOME_USAGE } from "../../../../test/support/model-server/scripted-answer.ts";
import { runCli } from "../../../../test/support/run-cli.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const RUN_IT = {
  action: "run_script",
  skill: { name: "pdf" },
  relative_path: "scripts/join.py",
  args: ["a b"],
};
const ACTIONS = [
  { action: "select_skills", skills: [{ name: "pdf" }] },
  RUN_IT,
  { action: "final_answer", answer: "done" },
];
const FLAGS = ["--root", "own skills", "--trust", "--model", "mock:k.json"];

/** A project whose skills are found only where `--root` leads. */
function world(
  actions: readonly unknown[] = ACTIONS,
  more: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder({
    "project/own skills/pdf/SKILL.md": skillText("pdf", "Merges PDF files. Use to join them."),
    "project/own skills/pdf/scripts/join.py": "print('joined')\n",
    "project/own skills/apart/SKILL.md": skillText("apart", undefined, "run-mode: subagent\n"),
    "project/own skills/apart/scripts/join.py": "print('apart')\n",
    "project/k.json": JSON.stringify({ actions }),
    ...more,
  });
  const project = join(folder, "project");
  const env = {
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const call = (...args: string[]) => runCli(args, { cwd: project, env: { ...env, ...variables } });
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { exitCode, stdout } = await call(...args, "--json");
    return { exitCode, ...(JSON.parse(stdout) as Record<string, unknown>) };
  };
  const terminal = (...args: string[]) => runCli(args, { cwd: project, env, isTTY: true });
  return { folder, project, call, json, terminal };
}

/** What a shell makes of the command that was printed. */
function pasted(text: string): string[] {
  const [, command = ""] = /(?:with: )?skillwright ([^]*?)\n*$/.exec(text) ?? [];
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" });
  return printed.split("\0").slice(0, -1);
}

describe("the command that goes on", () => {
  it("P-02 continues the same run when it is pasted", async () => {
    const { call, json } = world();
    const { exitCode, stderr } = await call("run", "x", ...FLAGS);
    expect(exitCode).toBe(3);
    const resumed = await json(...pasted(stderr.slice(stderr.indexOf("Continue it"))));
    expect(resumed).toMatchObject({ exitCode: 0, status: "answered", skills: ["pdf"] });
    const shown = await json("runs", "show", String(resumed["runId"]));
    expect(shown).toMatchObject({ scripts: [{ script: "scripts/join.py", exitCode: 0 }] });
  });

  it("P-02 also from --json, and from a terminal that breaks lines", async () => {
    const { json, terminal } = world();
    const { hint } = await json("run", "x", ...FLAGS);
    expect(await json(...pasted(String(hint)))).toMatchObject({ exitCode: 0, skills: ["pdf"] });
    const { stderr } = await terminal("run", "x", ...FLAGS);
    const again = pasted(stderr.slice(stderr.indexOf("Continue it")));
    expect(await json(...again)).toMatchObject({ exitCode: 0, skills: ["pdf"] });
  });
});

describe("the model of a run that goes on", () => {
  it("M-02 of a mock file has to be named", async () => {
    const { call, json } = world();
    const { runId } = await json("run", "x", ...FLAGS);
    const { exitCode, stderr } = await call("runs", "resume", String(runId), ...FLAGS.slice(0, 3));
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/mock:sequence[^]*--model/),
    });
  });

  it("M-02 is the recorded one, and never silently another", async () => {
    const server = await startModelServer();
    const answer = (id: string, name: string, input: unknown) =>
      chatCompletion({ calls: [{ id, name, input }], usage: SOME_USAGE });
    const { action: _, ...script } = RUN_IT;
    server.answer(
      answer("1", "select_skills", { skills: [{ name: "pdf" }] }),
      answer("2", "run_script", script),
      answer("3", "final_answer", { answer: "done" }),
    );
    const params = { model: "other", baseUrl: `${server.url}/v1` };
    const config = JSON.stringify({ model: { provider: "openai-compatible", params } });
    const { call, json } = world([], { "project/c.json": config });
    const flags = [...FLAGS.slice(0, 3), "--config", "c.json"];
    const stopped = await json("run", "x", ...flags, "--model", "openai-compatible:test");
    const { runId, approval } = stopped as { runId: string; approval: string };
    const without = await call("runs", "resume", runId, ...FLAGS.slice(0, 3));
    expect(without).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("openai-compatible:test"),
    });
    const resumed = await json("runs", "resume", runId, "--approve", approval, ...flags);
    expect(resumed).toMatchObject({ exitCode: 0, answer: "done" });
    expect(await json("runs", "show", runId)).toMatchObject({ model: "openai-compatible:test" });
  });

  it("P-02 is also there when the environment gave it, and the printed command is all it takes", async () => {
    const server = await startModelServer();
    const answer = (id: string, name: string, input: unknown) =>
      chatCompletion({ calls: [{ id, name, input }], usage: SOME_USAGE });
    const { action: _, ...script } = RUN_IT;
    server.answer(
      answer("1", "select_skills", { skills: [{ name: "pdf" }] }),
      answer("2", "run_script", script),
      answer("3", "final_answer", { answer: "done" }),
    );
    const env = { OPENAI_API_KEY: "k-1234567890", OPENAI_BASE_URL: `${server.url}/v1` };
    const { call, json } = world([], {}, env);
    const { exitCode, stderr } = await call("run", "x", ...FLAGS.slice(0, 3));
    expect(exitCode).toBe(3);
    const resumed = await json(...pasted(stderr.slice(stderr.indexOf("Continue it"))));
    expect(resumed).toMatchObject({ exitCode: 0, answer: "done" });
    expect(server.requests.length).toBe(3);
  });

  it("M-02 is the embedded one again, whatever is configured now", async () => {
    const params = { model: "test", baseUrl: "http://127.0.0.1:9/v1" };
    const config = JSON.stringify({ model: { provider: "openai-compatible", params } });
    const { json } = world(ACTIONS, { "project/c.json": config });
    const stopped = await json("run", "x", ...FLAGS);
    const runId = String(stopped["runId"]);
    const where = FLAGS.slice(0, 3);
    const waits = await json("runs", "resume", runId, ...where, "--model", "offline");
    const approve = ["--approve", String(waits["approval"]), "--config", "c.json"];
    const resumed = await json("runs", "resume", runId, ...where, ...approve);
    expect(resumed).toMatchObject({ exitCode: 0, status: "answered" });
    expect(await json("runs", "show", runId)).toMatchObject({
      model: "offline:skillwright",
      resumed: 2,
    });
  });
});

describe("what waits for an approval", () => {
  it("P-02 is shown before anybody approves it", async () => {
    const { call, json, project } = world();
    const { stderr } = await call("run", "x", ...FLAGS);
    for (const part of ["run_script", "pdf", "scripts/join.py", "a b", "sha256:", "joined"]) {
      expect(stderr).toContain(part);
    }
    const result = await json("run", "x", ...FLAGS);
    const skill = { name: "pdf", digest: expect.stringMatching(/^sha256:/) };
    const asked = {
      id: result["approval"],
      tool: "run_script",
      skill,
      script: { path: "scripts/join.py" },
      input: { args: ["a b"] },
      preview: { firstLines: expect.stringContaining("joined") },
    };
    expect(result).toMatchObject({ approvalRequest: asked });
    expect(result["approvalRequest"]).not.toHaveProperty("signature");
    const runId = String(result["runId"]);
    const approvals = [
      { tool: "run_script", skill: "pdf", script: "scripts/join.py", digest: skill.digest },
    ];
    expect(await json("runs", "show", runId)).toMatchObject({ approvals, approvalRequest: asked });
    const file = join(project, ".agent/runs", runId, "run.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ approvals });
    const { stdout } = await call("runs", "show", runId);
    expect(stdout).toContain(`Waits for the approval ${String(result["approval"])}`);
    expect(stdout).toContain("  | print('joined')");
  });

  it("P-02 A-07 also when a child waits", async () => {
    const { json } = world([
      { action: "select_skills", skills: [{ name: "apart" }] },
      { ...RUN_IT, skill: { name: "apart" } },
    ]);
    const result = await json("run", "x", ...FLAGS);
    expect(result).toMatchObject({
      exitCode: 3,
      approvalRequest: { id: result["approval"], skill: { name: "apart" } },
    });
  });

  it("P-02 is said to have changed when its content did", async () => {
    const { call, json, project } = world();
    const { runId, approval } = await json("run", "x", ...FLAGS);
    const script = join(project, "own skills/pdf/scripts/join.py");
    writeFileSync(script, "print('evil')\n");
    const resume = ["runs", "resume", String(runId), "--approve", String(approval), ...FLAGS];
    const { exitCode, stderr } = await call(...resume);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("The content of the skill pdf changed");
    expect(stderr).toContain("  | print('evil')");
    writeFileSync(script, "print('worse')\n");
    const again = await json("runs", "resume", String(runId), ...FLAGS);
    expect(again).toMatchObject({
      change: expect.stringContaining("pdf changed"),
      approvalRequest: { preview: { firstLines: expect.stringContaining("worse") } },
    });
    const same = await json("runs", "resume", String(runId), ...FLAGS);
    expect(same).not.toHaveProperty("change");
  });
});
