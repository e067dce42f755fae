import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { skillDigest } from "@skillwright/core";
import { verifyAudit } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const SKILL = "project/.agent/skills/pdf";

/** The user's own configuration; that of a project could only narrow. */
function world(configuration: object = {}) {
  const folder = temporaryFolder({
    [`${SKILL}/SKILL.md`]: skillText("pdf", "Merges PDF files. Use to join them."),
    [`${SKILL}/scripts/join.py`]: "import sys; print('joined', *sys.argv[1:])\n",
    [`${SKILL}/scripts/where.py`]: "import os; print(os.getcwd(), os.listdir())\n",
    "project/notes/a.txt": "one\nneedle\n",
    "elsewhere.txt": "not yours",
    "config.json": JSON.stringify(configuration),
  });
  const project = join(folder, "project");
  const state = join(folder, "state");
  const env = {
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: `${folder}/cache`,
    XDG_STATE_HOME: state,
  };
  const run = (...args: string[]) =>
    runCli([...args, "--config", join(folder, "config.json")], { cwd: project, env });
  const call = (tool: string, preset: string, input: object, ...flags: string[]) =>
    run(
      "tools",
      "call",
      tool,
      "--preset",
      preset,
      "--trust",
      "--input",
      JSON.stringify(input),
      ...flags,
    );
  const calls = join(state, "skillwright/calls");
  const records = () => {
    // Two calls may be of one second: their names do not tell which is the later one.
    const files = readdirSync(calls).map((name) => join(calls, name, "audit.jsonl"));
    const age = (path: string) => statSync(path, { bigint: true }).mtimeNs;
    const file = files.reduce((last, next) => (age(next) > age(last) ? next : last));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return lines.map(
      (line) => JSON.parse(line) as { event: string; data: Record<string, unknown> },
    );
  };
  return { folder, project, state, run, call, calls, records };
}

async function toolNames(run: ReturnType<typeof world>["run"], preset: string) {
  const { stdout } = await run("tools", "--trust", "--json", "--preset", preset);
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

describe("the tools that presets offer", () => {
  it("T-05 X-10 autobot offers what is switched on by default", async () => {
    expect(await toolNames(world().run, "autobot")).toEqual([
      "read_skill",
      "read_file",
      "list_directory",
      "search_files",
      "write_file",
      "edit_file",
    ]);
  });

  it("T-05 X-10 each switch offers its tool, or takes it away", async () => {
    const { run } = world({
      workspace: { enableReadFile: false, enableSearchFiles: false, enableRunCommand: true },
      policy: { enableDeleteFile: true, enableNetworkRequest: true },
    });
    expect(await toolNames(run, "autobot")).toEqual([
      "read_skill",
      "list_directory",
      "write_file",
      "edit_file",
      "delete_file",
      "run_command",
      "network_request",
    ]);
  });

  it("T-03 T-04 scripts and sop have the tools of their documents", async () => {
    const { run, calls } = world({ workspace: { enableRunCommand: true } });
    expect(await toolNames(run, "scripts")).toEqual(["load_skill", "run_skill_script"]);
    expect(await toolNames(run, "sop")).toContain("run_shell_command");
    expect(await toolNames(run, "sop")).not.toContain("run_command");
    expect(existsSync(calls)).toBe(false);
  });
});

describe("autobot", () => {
  it("X-10 reads, lists and searches without asking", async () => {
    const { call, records, state, calls } = world();
    expect(await call("read_file", "autobot", { path: "notes/a.txt" })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("needle"),
    });
    expect((await call("list_directory", "autobot", { path: "notes" })).stdout).toContain("a.txt");
    const found = await call("search_files", "autobot", { pattern: "needle" });
    expect(found).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("notes/a.txt") });
    expect(records().map(({ event }) => event)).toEqual(["tool-call", "tool-end"]);
    for (const name of readdirSync(calls)) {
      const file = join(calls, name, "audit.jsonl");
      expect(await verifyAudit(file, { stateDirectory: join(state, "skillwright") })).toMatchObject(
        {
          ok: true,
        },
      );
    }
  });

  it("X-10 P-02 writes only what was approved, and says how", async () => {
    const { project, call } = world();
    const input = { path: "new.txt", content: "two\n" };
    const asked = await call("write_file", "autobot", input);
    expect(asked).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("--yes=write_file"),
    });
    expect(existsSync(join(project, "new.txt"))).toBe(false);
    expect((await call("write_file", "autobot", input, "--yes=run_script")).exitCode).toBe(3);
    expect((await call("write_file", "autobot", input, "--yes=write_file")).exitCode).toBe(0);
    expect(readFileSync(join(project, "new.txt"), "utf8")).toBe("two\n");
  });

  it("X-10 refuses what lies outside, approved or not", async () => {
    const { folder, call } = world();
    for (const path of ["../elsewhere.txt", join(folder, "elsewhere.txt")]) {
      const read = await call("read_file", "autobot", { path });
      expect(read.exitCode).toBe(1);
      expect(read.stdout).not.toContain("not yours");
      const content = "changed";
      const written = await call("write_file", "autobot", { path, content }, "--yes=write_file");
      expect(written.exitCode).toBe(1);
    }
    expect(readFileSync(join(folder, "elsewhere.txt"), "utf8")).toBe("not yours");
  });

  it("X-10 deletes to a trash of the run, and the result says how to undo it", async () => {
    const { project, state, call } = world({ policy: { enableDeleteFile: true } });
    const file = join(project, "notes/a.txt");
    const flags = ["--yes=delete_file", "--json"];
    const { stdout } = await call("delete_file", "autobot", { path: "notes/a.txt" }, ...flags);
    const { result } = JSON.parse(stdout) as { result: { undo: string } };
    expect(existsSync(file)).toBe(false);
    expect(result.undo).toContain(join(state, "skillwright/calls"));
    execFileSync("/bin/sh", ["-c", result.undo]);
    expect(readFileSync(file, "utf8")).toContain("needle");
  });

  it("X-10 runs commands once they are switched on and approved, by the rules of policy", async () => {
    const { call, records } = world({
      workspace: { enableRunCommand: true },
      policy: { allow: ["Bash(echo:*)"], deny: ["Bash(rm:*)"] },
    });
    const run = (command: string, ...flags: string[]) =>
      call("run_command", "autobot", { command }, ...flags);
    expect(await run("echo hello")).toMatchObject({ exitCode: 0, stdout: "hello\n" });
    expect(records().map(({ event }) => event)).toContain("command-end");
    expect((await run("cat notes/a.txt")).exitCode).toBe(3);
    expect(await run("cat notes/a.txt", "--yes=run_command")).toMatchObject({
      exitCode: 0,
      stdout: "one\nneedle\n",
    });
    expect((await run("rm notes/a.txt", "--yes=run_command")).exitCode).toBe(1);
  });

  it("X-10 writable places of configuration are those of commands", async () => {
    const { project, call } = world({
      workspace: { enableRunCommand: true },
      execution: { writable: ["notes"] },
    });
    const run = (...argv: string[]) =>
      call("run_command", "autobot", { argv }, "--yes=run_command");
    const copied = await run("cp", "notes/a.txt", "notes/b.txt");
    expect(copied, JSON.stringify(copied)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(project, "notes/b.txt"))).toBe(true);
    // Elsewhere the copy waits for a person.
    const held = await run("cp", "notes/a.txt", "b.txt");
    expect(held).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining("skillwright runs changes "),
      stderr: expect.stringContaining("Look at them with:\n  skillwright runs changes "),
    });
    expect(held.stderr).not.toContain("--yes");
    expect(existsSync(join(project, "b.txt"))).toBe(false);
  });
});

describe("sop", () => {
  const command = "python3 .agent/skills/pdf/scripts/join.py 'a b'";

  it("X-02 P-02 a command that runs a script asks for the script, with exit 3", async () => {
    const { call, records } = world();
    const asked = await call("run_shell_command", "sop", { command });
    expect(asked).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("--yes=run_script"),
    });
    expect(
      (await call("run_shell_command", "sop", { command }, "--yes=run_command")).exitCode,
    ).toBe(3);
    expect(records().map(({ event }) => event)).toEqual(["approval-request", "approval-decision"]);
  });

  it("X-02 P-03 once approved, the record has the script and its digest", async () => {
    const { folder, call, records } = world();
    const ran = await call("run_shell_command", "sop", { command }, "--yes=run_script");
    expect(ran).toMatchObject({ exitCode: 0, stdout: "joined a b\n" });
    const start = records().find(({ event }) => event === "script-start");
    expect(start?.data).toMatchObject({
      skill: "pdf",
      script: "scripts/join.py",
      digest: await skillDigest(join(folder, SKILL)),
    });
  });

  it("X-10 any other command is switched off, and asks once it is on", async () => {
    const other = { command: "echo hello" };
    const off = await world().call("run_shell_command", "sop", other, "--yes=run_command");
    expect(off).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("switched off") });
    const { call } = world({ workspace: { enableRunCommand: true } });
    expect((await call("run_shell_command", "sop", other)).exitCode).toBe(3);
    expect(await call("run_shell_command", "sop", other, "--yes=run_shell_command")).toMatchObject({
      exitCode: 0,
      stdout: "hello\n",
    });
  });

  it("X-02 the path that sop hands out runs as a script", async () => {
    const { call } = world();
    const names = { skill_name: "pdf", script_name: "join.py" };
    const path = (await call("get_skill_script_path", "sop", names)).stdout.trim();
    const ran = await call(
      "run_shell_command",
      "sop",
      { command: `python3 ${path} x` },
      "--yes=run_script",
    );
    expect(ran).toMatchObject({ exitCode: 0, stdout: "joined x\n" });
  });
});

describe("approvals on the command line", () => {
  it("P-02 a bare --yes is wrong usage, also where nothing is asked", async () => {
    const { call } = world();
    expect((await call("read_file", "autobot", { path: "notes/a.txt" }, "--yes")).exitCode).toBe(2);
  });

  it("P-02 where only a person may approve, --yes does not count, and it says so", async () => {
    const { project, call } = world({ approvals: { terminalOnly: true } });
    const input = { path: "new.txt", content: "x" };
    const refused = await call("write_file", "autobot", input, "--yes=write_file");
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain("--yes does not count");
    expect(refused.stderr).toContain("Only a person at a terminal");
    expect(existsSync(join(project, "new.txt"))).toBe(false);
  });

  it("X-05 scripts get a fresh directory when configuration says so", async () => {
    const input = { skill_name: "pdf", script_file: "where.py" };
    const where = async (execution: object) => {
      const { call, project } = world({ execution });
      const ran = await call("run_skill_script", "scripts", input, "--yes=run_script");
      return { ...ran, isProject: ran.stdout.startsWith(project) };
    };
    expect(await where({})).toMatchObject({ exitCode: 0, isProject: true });
    expect(await where({ freshDirectory: true })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/ \[\]\n$/),
      isProject: false,
    });
  });

  it("X-03 P-02 the virtual environment and the domains of configuration are those of scripts", async () => {
    const { folder, call, records } = world({
      execution: { virtualEnvironment: "~/none", domains: ["example.com"] },
    });
    const input = { skill_name: "pdf", script_file: "join.py" };
    const ran = await call("run_skill_script", "scripts", input, "--yes=run_script");
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toContain(`"${folder}/home/none" is not a virtual environment`);
    expect(records()[0]?.data).toMatchObject({ tool: "run_script", network: ["example.com"] });
  });

  it("P-03 what cannot be recorded does not happen, and it says why", async () => {
    const { folder, project, call } = world();
    mkdirSync(join(folder, "state/skillwright"), { recursive: true });
    writeFileSync(join(folder, "state/skillwright/calls"), "in the way");
    const input = { path: "new.txt", content: "x" };
    const written = await call("write_file", "autobot", input, "--yes=write_file");
    expect(written).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("error") });
    expect(existsSync(join(project, "new.txt"))).toBe(false);
  });

  it("X-06 a sandbox that does not exist is wrong usage", async () => {
    const { call } = world({ workspace: { enableRunCommand: true } });
    const input = { argv: ["echo", "x"] };
    const ran = await call("run_command", "autobot", input, "--yes=run_command", "--sandbox=jail");
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("jail") });
  });
});
