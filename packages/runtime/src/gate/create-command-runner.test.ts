import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openApprovals } from "../approvals/index.ts";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
} from "../index.ts";
import {
  Gate,
  chooseExecutor,
  createCommandRunner,
  createSecrets,
  createWorkspaceTools,
  denyApprover,
  guardWorkspace,
  openAudit,
} from "../internal/index.ts";
import { commandLineRunner } from "./index.ts";

const APPROVED: ApprovalDecision = { approved: true, scope: "once", by: "person" };
const HIDDEN = "disable-model-invocation: true\n";
const SWITCHES = { run_command: true };
const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz012345";

const HAS_PYTHON = ["/usr/local/bin", "/usr/bin", "/bin"].some((folder) =>
  existsSync(join(folder, "python")),
);

interface WorldOptions {
  readonly settings?: Partial<PolicySettings>;
  readonly decide?: (request: ApprovalRequest) => ApprovalDecision;
  readonly sandbox?: string;
  readonly writable?: readonly string[];
}

async function world({ settings = {}, decide, sandbox = "auto", writable = [] }: WorldOptions) {
  const folder = temporaryFolder({
    "work/skills/pdf/SKILL.md": skillText("pdf"),
    "work/skills/pdf/scripts/join.py": "import sys, os; print('joined', sys.argv[1:], os.getcwd())",
    "work/skills/pdf/scripts/run.sh": 'echo "ran $1"',
    "work/skills/pdf/references/note.md": "a note",
    "work/skills/manual/SKILL.md": skillText("manual", "By hand.", HIDDEN),
    "work/skills/manual/scripts/by-hand.py": "print('by hand')",
    "work/skills/broken/SKILL.md": "---\nname: [\n",
    "work/skills/broken/scripts/x.sh": "echo unknown",
    "work/tools/apart/SKILL.md": skillText("apart"),
    "work/tools/apart/scripts/y.py": "print('unknown')",
    "work/own/scripts/z.sh": "echo own",
    "work/docs/a.txt": "one\n",
    "work/.env": "KEY=1\n",
    "work/out/.keep": "",
    "elsewhere/secret.txt": "secret",
  });
  const root = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: { OPENAI_API_KEY: SECRET } });
  const audit = openAudit({ file: join(folder, "run/audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, switches: SWITCHES, ...settings },
    places: { workingDirectory: root },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      ask(request, context) {
        asked.push(request);
        return decide === undefined
          ? denyApprover.ask(request, context)
          : Promise.resolve(decide(request));
      },
    },
    audit,
    secrets: createSecrets({ env: { OPENAI_API_KEY: SECRET } }),
  });
  const executor = await chooseExecutor({ sandbox });
  if ("ok" in executor) throw new Error(executor.message);
  const skills = await openSkills({ roots: [join(root, "skills")] });
  const commandRunner = createCommandRunner({
    gate,
    executor,
    sandbox: sandbox === "none" ? "none" : "bubblewrap",
    root,
    cwd: root,
    writable,
    skills: () => [...skills.all, ...skills.shadowed],
  });
  const workspace = { root, trash: join(folder, "t"), enableRunCommand: true, commandRunner };
  const provider = guardWorkspace(createWorkspaceTools(workspace), { gate, workspace });
  const tool = provider.tools().find(({ name }) => name === "run_command");
  if (tool === undefined) throw new Error("run_command is not offered");
  const run = (...argv: string[]) => tool.execute({ argv });
  const records = () =>
    readFileSync(audit.file, "utf8")
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });
  const events = () => records().map(({ event }) => event);
  return { folder, root, asked, run, tool, events, records, commandRunner };
}

describe("a command behind the gate", () => {
  it("X-10 P-02 asks with what it may do, and runs nothing when nobody answers", async () => {
    const { run, asked, events } = await world({});
    const result = await run("git", "--version");
    expect(result).toMatchObject({ ok: false, code: "approval-needed" });
    expect(asked[0]).toMatchObject({
      tool: "run_command",
      command: ["git", "--version"],
      sandbox: "bubblewrap",
      writable: [],
      network: "none",
    });
    expect(events()).toEqual(["approval-request", "approval-decision"]);
  });

  it.skipIf(HAS_PYTHON)("X-10 P-01 runs python3 for python, and decides on python3", async () => {
    const { asked, run, commandRunner } = await world({ decide: () => APPROVED });
    const argv = ["python3", "-c", "print(42)"];
    expect(await run("python", "-c", "print(42)")).toMatchObject({ ok: true, argv, text: "42\n" });
    expect(asked[0]).toMatchObject({ command: argv, input: { argv } });
    // Without the gate nobody would see the other name, so it is only suggested.
    const options = { cwd: asked[0]?.cwd ?? "", timeoutMs: 1000 };
    const { text } = await commandRunner.runCommand(["python", "-c", "print(42)"], options);
    expect(text).toContain('Use "python3".');
    const denied = await world({ settings: { deny: ["run_command(python *)"] } });
    expect(await denied.run("python", "-c", "1")).toMatchObject({ code: "policy-denied" });
  });

  it("X-10 is denied as long as it is switched off", async () => {
    const { run, asked } = await world({ settings: { switches: {} }, decide: () => APPROVED });
    expect(await run("git", "--version")).toMatchObject({ ok: false, code: "policy-denied" });
    expect(asked).toEqual([]);
  });

  it("X-05 P-03 runs in the sandbox: clean environment, no secrets, nothing to write, on record", async () => {
    const { root, tool, run, records } = await world({ decide: () => APPROVED });
    const code = `
import os
print(sorted(os.environ), os.getcwd())
print(repr(open('.env').read()), os.path.exists('../elsewhere'), os.path.exists('/root'))
open('new.txt', 'w')`;
    const result = await run("python3", "-c", code);
    expect(result).toMatchObject({ ok: false, code: "script-failed" });
    const text = tool.toText(result);
    expect(text).toContain("'USER'] " + root);
    expect(text).not.toContain("SKILL_DIR");
    expect(text).toContain("'' False False");
    expect(text).toContain("Read-only file system");
    expect(existsSync(join(root, "new.txt"))).toBe(false);
    const made = records().filter(({ event }) => event.startsWith("command-"));
    expect(made.map(({ event }) => event)).toEqual(["command-start", "command-end"]);
    expect(made[1]?.data).toMatchObject({ ok: false, exitCode: 1, sandbox: "bubblewrap" });
  });

  it("X-10 writes only where configuration lets it, and never control files", async () => {
    const { root, run } = await world({ decide: () => APPROVED, writable: ["out"] });
    const result = await run("bash", "-c", "echo x > out/a && mkdir out/.git && echo y > b");
    expect(result).toMatchObject({ ok: true });
    expect((result as { text: string }).text).toContain('- "out/.git": it tells other programs');
    expect(existsSync(join(root, "b"))).toBe(false);
    expect(readFileSync(join(root, "out/a"), "utf8")).toBe("x\n");
    expect(existsSync(join(root, "out/.git"))).toBe(false);
  });

  it("X-10 starts in a folder and sees the whole working directory", async () => {
    const { tool } = await world({ decide: () => APPROVED });
    const result = await tool.execute({ command: "cat a.txt ../.env", cwd: "docs" });
    expect(result).toMatchObject({ ok: true, text: "one\n", exitCode: 0 });
  });

  it("P-01 rules about commands hold: allowed, denied, and behind a shell", async () => {
    const settings = { allow: ["Bash(echo:*)"], deny: ["Bash(rm:*)"] };
    const { run, tool, asked } = await world({ settings });
    expect(await run("echo", "a b")).toMatchObject({ ok: true, text: "a b\n" });
    expect(await tool.execute({ cmd: "echo 'a b'" })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    for (const argv of [
      ["rm", "a"],
      ["bash", "-c", "echo a; rm a"],
      ["env", "rm", "a"],
    ]) {
      expect(await run(...argv)).toMatchObject({ ok: false, code: "policy-denied" });
    }
    expect(await run("bash", "-c", "echo a")).toMatchObject({ code: "approval-needed" });
    expect(asked.at(-1)?.command).toEqual(["bash", "-c", "echo a"]);
  });

  it("X-10 finds programs only in folders of the system", async () => {
    const { root, run } = await world({ decide: () => APPROVED });
    writeFileSync(join(root, "git"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
    expect(await run("git", "--version")).toMatchObject({
      ok: true,
      text: expect.stringContaining("git version"),
    });
    for (const program of ["./git", join(root, "git"), "no-such-program", "..", "a/../git"]) {
      expect(await run(program)).toMatchObject({ ok: false, code: "program-missing" });
    }
  });

  it("X-05 ends at its time, and with the call", async () => {
    const { tool } = await world({ decide: () => APPROVED });
    const late = await tool.execute({ argv: ["sleep", "30"], timeout_seconds: 1 });
    expect(late).toMatchObject({ ok: false, code: "timed-out" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    const cut = await tool.execute({ argv: ["sleep", "30"] }, { signal: controller.signal });
    expect(cut).toMatchObject({ ok: false, code: "canceled" });
  });

  it("D-11 P-05 keeps known secrets out of the output, and puts them back into commands", async () => {
    const { run, root, asked, records } = await world({ decide: () => APPROVED });
    writeFileSync(join(root, "key.txt"), `${SECRET} password=hunter2hunter2\n`);
    const text = "⟦secret:OPENAI_API_KEY⟧ password=hunter2hunter2\n";
    expect(await run("cat", "key.txt")).toMatchObject({ ok: true, text });
    const pattern = "⟦secret:OPENAI_API_KEY⟧";
    expect(await run("grep", "-c", pattern, "key.txt")).toMatchObject({
      ok: true,
      text: "1\n",
      argv: ["grep", "-c", pattern, "key.txt"],
    });
    expect(asked[1]).toMatchObject({ secretNames: ["OPENAI_API_KEY"] });
    expect(JSON.stringify([asked, records()])).not.toContain(SECRET);
  });

  it("X-10 without a sandbox says so to who approves", async () => {
    const { run, asked } = await world({ decide: () => APPROVED, sandbox: "none" });
    expect(await run("echo", "a")).toMatchObject({ ok: true, text: "a\n" });
    expect(asked[0]?.sandbox).toBe("none");
  });
});

describe("a command that runs a script of a skill", () => {
  const WAYS: readonly (readonly [string, (root: string) => readonly string[]])[] = [
    [
      "its interpreter and absolute path",
      (root) => ["python3", `${root}/skills/pdf/scripts/join.py`],
    ],
    ["a relative path", () => ["python3", "skills/../skills/pdf/scripts/join.py"]],
    ["implied options", () => ["python3", "-u", "-B", "skills/pdf/scripts/join.py"]],
    ["env", () => ["env", "python3", "skills/pdf/scripts/join.py"]],
    ["/usr/bin/env", () => ["/usr/bin/env", "python3", "skills/pdf/scripts/join.py"]],
    ["an absolute interpreter", () => ["/usr/bin/python3", "skills/pdf/scripts/join.py"]],
    ["its own path", () => ["./skills/pdf/scripts/join.py"]],
    ["a link to the file", () => ["python3", "link.py"]],
    ["a link to the folder", () => ["python3", "folder/join.py"]],
  ];

  it.each(WAYS)("X-02 P-02 takes the way of scripts: by %s", async (_, way) => {
    const { root, run, asked, records, events } = await world({ decide: () => APPROVED });
    symlinkSync("skills/pdf/scripts/join.py", join(root, "link.py"));
    symlinkSync("skills/pdf/scripts", join(root, "folder"));
    const result = await run(...way(root), "a b");
    expect(result).toMatchObject({ ok: true, text: `joined ['a b'] ${root}\n` });
    expect(asked).toHaveLength(1);
    const digest = asked[0]?.skill?.digest;
    expect(asked[0]).toMatchObject({ tool: "run_script", script: { path: "scripts/join.py" } });
    expect(digest).toMatch(/^sha256:/);
    expect(events()).toEqual([
      "approval-request",
      "approval-decision",
      "script-start",
      "script-end",
    ]);
    expect(records()[2]?.data).toMatchObject({ skill: "pdf", digest, args: ["a b"] });
  });

  it("X-02 from a folder of the skill, also while commands are switched off", async () => {
    const { tool } = await world({ settings: { switches: {} }, decide: () => APPROVED });
    const line = commandLineRunner(tool);
    expect(
      await tool.execute({ command: "bash scripts/run.sh x", cwd: "skills/pdf" }),
    ).toMatchObject({ ok: true, text: "ran x\n" });
    expect(await tool.execute({ command: "./run.sh y", cwd: "skills/pdf/scripts" })).toMatchObject({
      ok: true,
      text: "ran y\n",
    });
    expect(await line("bash skills/pdf/scripts/run.sh z", {})).toEqual({
      ok: true,
      text: "ran z\n",
    });
    expect(await line("git status", {})).toMatchObject({
      ok: false,
      text: expect.stringContaining("switched off"),
    });
  });

  it("P-01 an approval of commands is none for scripts", async () => {
    const { run, asked } = await world({ settings: { allow: ["run_command"] } });
    expect(await run("python3", "skills/pdf/scripts/join.py")).toMatchObject({ ok: false });
    expect(asked[0]?.tool).toBe("run_script");
  });

  it.each([
    ["a shell", ["bash", "-c", "python3 skills/pdf/scripts/join.py"]],
    ["a wrapper", ["timeout", "5", "python3", "skills/pdf/scripts/join.py"]],
    ["variables", ["env", "A=1", "python3", "skills/pdf/scripts/join.py"]],
    ["options that would be lost", ["python3", "-i", "skills/pdf/scripts/join.py"]],
    ["a program that does not run it", ["bash", "skills/pdf/scripts/join.py"]],
    ["a program that reads it", ["cp", "skills/pdf/scripts/join.py", "out/copy.py"]],
    ["an option", ["node", "--require=./skills/pdf/scripts/run.sh", "x.js"]],
    ["a script that is not there", ["python3", "skills/pdf/scripts/none.py"]],
    ["the folder", ["python3", "skills/pdf/scripts"]],
  ])("X-02 nothing runs that names one in another way: %s", async (_, argv) => {
    const { root, run, asked } = await world({ settings: { allow: ["run_command"] } });
    expect(await run(...argv)).toMatchObject({ ok: false, code: "script-in-command" });
    expect(asked).toEqual([]);
    expect(existsSync(join(root, "out/copy.py"))).toBe(false);
  });

  it("X-02 the sandbox hides it from commands that do not name it", async () => {
    const { root, run } = await world({ settings: { allow: ["run_command"] } });
    symlinkSync("skills", join(root, "other"));
    const hidden = [
      "exec(open('/'.join(['skills', 'pdf', 'scr' + 'ipts', 'join.py'])).read())",
      "exec(open('/'.join(['other', 'pdf', 'scr' + 'ipts', 'join.py'])).read())",
      "import os; os.chdir('skills/pdf'); os.chdir('scr' + 'ipts'); exec(open('join.py').read())",
    ];
    for (const code of hidden) {
      expect(await run("python3", "-c", code)).toMatchObject({
        ok: false,
        message: expect.stringContaining("FileNotFoundError"),
      });
    }
    expect(await run("find", "skills", "-name", "*.py")).toMatchObject({ ok: true, text: "" });
    expect(await run("cat", "skills/pdf/references/note.md")).toMatchObject({ text: "a note" });
  });

  it("X-02 the runner takes the way of scripts even when nobody asked it before", async () => {
    const { root, commandRunner, asked } = await world({ decide: () => APPROVED });
    const argv = ["python3", "skills/pdf/scripts/join.py"];
    const result = await commandRunner.runCommand(argv, { cwd: root, timeoutMs: 10_000 });
    expect(result).toMatchObject({ ok: true, text: `joined [] ${root}\n` });
    expect(asked.map(({ tool }) => tool)).toEqual(["run_script"]);
  });

  it("X-02 P-02 a file that becomes a script while it is decided on is asked about as one", async () => {
    let root = "";
    const made = await world({
      decide({ tool }) {
        if (tool === "run_script") return { ...APPROVED, approved: false };
        rmSync(join(root, "own.py"));
        symlinkSync("skills/pdf/scripts/join.py", join(root, "own.py"));
        return APPROVED;
      },
    });
    root = made.root;
    writeFileSync(join(root, "own.py"), "print('own')");
    const result = await made.run("python3", "own.py");
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain("joined");
    expect(made.asked.map(({ tool }) => tool)).toEqual(["run_command", "run_script"]);
  });

  it("P-01 scripts of skills that are kept from models are neither run nor seen", async () => {
    const { tool, run, asked } = await world({ settings: { allow: ["run_command"] } });
    expect(await run("python3", "skills/manual/scripts/by-hand.py")).toMatchObject({
      code: "script-in-command",
    });
    expect(await tool.execute({ argv: ["ls"], cwd: "skills/manual/scripts" })).toMatchObject({
      code: "script-in-command",
    });
    expect(await run("find", ".", "-name", "by-hand.py")).toMatchObject({ ok: true, text: "" });
    expect(asked).toEqual([]);
  });

  it("X-02 runs in the folder of the command, with what may be written in it", async () => {
    const { root, tool, asked } = await world({
      decide: () => APPROVED,
      writable: ["out", "docs"],
    });
    const command = "python3 ../skills/pdf/scripts/join.py";
    const result = await tool.execute({ command, cwd: "docs" });
    expect(result).toMatchObject({ ok: true, text: `joined [] ${root}/docs\n` });
    expect(asked[0]).toMatchObject({ cwd: join(root, "docs"), writable: [join(root, "docs")] });
  });
});

describe("a script of a skill that is not known", () => {
  it.each([
    ["sh", "skills/broken/scripts/x.sh"],
    ["skills/broken/scripts/x.sh"],
    ["python3", "tools/apart/scripts/y.py"],
    ["env", "A=1", "python3", "tools/../link/y.py"],
    ["timeout", "5", "sh", "skills/broken/scripts/x.sh"],
    ["bash", "-c", "cd tools/apart && python3 scripts/y.py"],
    ["python3", "-c", "import os; os.system('sh skills/broken/scripts/x.sh')"],
    ["cp", "skills/broken/scripts/x.sh", "x.sh"],
  ])("X-02 P-01 is no plain command: %s %s %s", async (...argv) => {
    const { root, run, asked, events } = await world({ decide: () => APPROVED });
    symlinkSync("tools/apart/scripts", join(root, "link"));
    const result = await run(...argv);
    expect(result).toMatchObject({
      ok: false,
      code: "script-in-command",
      message: expect.stringContaining("not known here"),
      hint: expect.stringContaining("sources of skills"),
    });
    expect(asked).toEqual([]);
    expect(events()).toEqual([]);
  });

  it("X-02 scripts without a skill are files like any other", async () => {
    const { run } = await world({ decide: () => APPROVED });
    expect(await run("sh", "own/scripts/z.sh")).toMatchObject({ ok: true });
  });

  it("X-02 X-05 is not seen by a command that hides its name, where skills lie", async () => {
    const { run } = await world({ decide: () => APPROVED });
    const code = "import os; print(os.listdir('skills/broken/' + 'scr' + 'ipts'))";
    const result = await run("python3", "-c", code);
    expect(JSON.stringify(result)).toContain("[]");
  });
});
