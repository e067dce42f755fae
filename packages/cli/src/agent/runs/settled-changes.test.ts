import { createFileStore } from "@skillwright/agent";
import { createRedactor } from "@skillwright/runtime";
import { RunChanges } from "@skillwright/runtime/internal";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { runCli } from "../../../../../test/support/run-cli.ts";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { main } from "../../index.ts";

const SELECT = { action: "select_skills", skills: [{ name: "report" }] };
const MAKE = {
  action: "run_script",
  skill: { name: "report" },
  relative_path: "scripts/make.py",
  args: [],
};
const WRITE = {
  action: "use_tool",
  tool: "write_file",
  input: { path: "other.md", content: "x" },
};
const ANSWER = { action: "final_answer", answer: "Made it." };
const SCRIPT = `import os
open("report.md", "w").write("# Report\\n")
open("notes.txt", "a").write("more\\n")
open(os.environ["SKILLWRIGHT_OUTPUT"] + "/raw.csv", "w").write("1,2\\n")`;

async function held(
  actions: readonly object[] = [SELECT, MAKE, ANSWER],
  front = "",
  script = SCRIPT,
) {
  const folder = temporaryFolder({
    "project/.agent/skills/report/SKILL.md": skillText(
      "report",
      "Makes reports. Use for them.",
      front,
    ),
    "project/.agent/skills/report/scripts/make.py": script,
    "project/notes.txt": "notes\n",
    "actions.json": JSON.stringify({ actions }),
  });
  const project = join(folder, "project");
  const env = {
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const call = (...args: string[]) => runCli(args, { cwd: project, env });
  const model = ["--trust", "--model", `mock:${join(folder, "actions.json")}`];
  const ended = await call("run", "a report", ...model, "--yes=run_script", "--json");
  const { runId, approval } = JSON.parse(ended.stdout) as { runId: string; approval: string };
  const show = async () =>
    JSON.parse((await call("runs", "show", runId, "--json")).stdout) as Record<string, unknown>;
  const isSound = async () => {
    expect((await call("runs", "verify")).exitCode).toBe(0);
    expect(await call("runs", "replay", runId)).toMatchObject({ exitCode: 0 });
  };
  /** At a terminal, where these keys are pressed when the question is there. */
  const pressed = async (question: string, keys: string[], ...args: string[]) => {
    const keyboard = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: () => keyboard,
    });
    let text = "";
    const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 40 });
    screen.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes(question)) return;
      for (const [i, key] of keys.splice(0).entries()) {
        setTimeout(() => keyboard.write(key), 100 * (i + 1));
      }
    });
    let stdout = "";
    const exitCode = await main(args, {
      stdout: { write: (more) => (stdout += more) },
      stderr: screen,
      stdin: () => keyboard,
      cwd: project,
      env: { ...env, NO_COLOR: "1" },
    });
    return { exitCode, stdout, text };
  };
  return { folder, project, call, model, pressed, runId, approval, show, isSound };
}

it("X-11 P-06 what a person decides is in the record, and the run is answered once all is decided", async () => {
  const { project, call, model, runId, show, isSound } = await held();
  const refused = await call("runs", "resume", runId, ...model, "--approve", "12345678");
  expect(refused.stderr).toContain(`skillwright runs changes ${runId}`);
  const listed = JSON.parse((await call("runs", "changes", "--json")).stdout) as object;
  expect(listed).toMatchObject({
    runId,
    changes: expect.arrayContaining([
      expect.objectContaining({
        path: "notes.txt",
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      }),
    ]),
  });

  await call("runs", "changes", runId, "report.md", "--apply");
  expect(await show()).toMatchObject({
    status: "needs_approval",
    heldChanges: 1,
    reason: "1 change of scripts is held until you decide",
  });
  await isSound();
  const last = await call("runs", "changes", "--discard");
  expect(last.stderr).toContain(`Changes of ${runId}, the latest run with changes that wait.`);
  const summary = await show();
  expect(summary).toMatchObject({
    status: "answered",
    answer: "Made it.",
    settled: [
      { decision: "kept", principal: expect.stringMatching(/^local:/), paths: ["report.md"] },
      { decision: "discarded", paths: ["notes.txt"], count: 1 },
    ],
  });
  expect(summary).not.toHaveProperty("approval");
  expect(summary).not.toHaveProperty("heldChanges");
  await isSound();
  const file = readFileSync(join(project, ".agent/runs", runId, "run.json"), "utf8");
  expect(JSON.parse(file)).toMatchObject({ status: "answered" });
  expect((await call("runs", "list")).stdout).toMatch(/ answered /);
  expect(await call("runs", "resume", "--trust")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("every run of this project is finished"),
  });

  await call("runs", "changes", "--undo");
  expect(await show()).toMatchObject({
    status: "answered",
    settled: [{}, {}, { decision: "undone", paths: ["report.md"] }],
  });
  const shown = await call("runs", "show");
  expect(shown.stderr).toContain(`The latest run: ${runId}.`);
  expect(shown.stdout).toMatch(/decided +kept by local:\S+: "report\.md", 1 left/);
  await isSound();
});

it("X-11 P-06 a run that waits for more goes on with what was kept and discarded", async () => {
  const { call, model, runId, approval, show, isSound } = await held([SELECT, MAKE, WRITE, ANSWER]);
  await call("runs", "changes", runId, "report.md", "--apply");
  await call("runs", "changes", "--discard");
  expect(await show()).toMatchObject({ status: "needs_approval", approval });
  const resumed = await call("runs", "resume", ...model, "--approve", approval, "--json");
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: "answered" });
  await isSound();
});

it.each([
  [["\u001B[B", "\r"], "kept", "# Report\n"],
  [["\u001B[B", "\u001B[B", "\r"], "discarded", undefined],
] as const)(
  "X-11 a person who resumes a run is asked about its changes first: %#",
  async (keys, decision, report) => {
    const { project, model, pressed, runId, show } = await held();
    const question = "Keep these changes of scripts?";
    const ended = await pressed(question, [...keys], "runs", "resume", runId, ...model);
    expect(ended, ended.text).toMatchObject({ exitCode: 0, stdout: "Made it.\n" });
    expect(ended.text).toContain('"report.md" created');
    expect(await show()).toMatchObject({ status: "answered", settled: [{ decision, count: 2 }] });
    const file = join(project, "report.md");
    expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(report);
  },
);

it("X-11 A-07 changes of a child run are decided on with those of its parent", async () => {
  const actions = [SELECT, MAKE, { ...ANSWER, answer: "Child." }, ANSWER];
  const { call, runId, show, isSound } = await held(actions, "run-mode: subagent\n");
  expect(await show()).toMatchObject({ status: "needs_approval", heldChanges: 2 });
  const { children } = await show();
  const [child] = children as { readonly runId: string }[];
  await call("runs", "changes", child?.runId ?? "", "report.md", "--apply");
  expect(await show()).toMatchObject({ status: "needs_approval", heldChanges: 1 });
  expect((await call("runs", "changes", "--discard")).stderr).toContain(`Changes of ${runId},`);
  expect(await show()).toMatchObject({ status: "answered", answer: "Made it." });
  await isSound();
});

it("X-11 files that a script leaves for the user are named with their path", async () => {
  const { folder, call, model, runId, show } = await held();
  const path = join(folder, "state/skillwright/runs", runId, "files/raw.csv");
  const summary = await show();
  expect(summary).toMatchObject({ outputFiles: [{ path, bytes: 4 }] });
  const script = (summary["decisions"] as { action: string; summary: string }[]).find(
    ({ action }) => action === "run_script",
  );
  expect(script?.summary).toContain(`For the user, who finds it there:\n- "${path}", 4 bytes`);
  expect((await call("runs", "show")).stdout).toContain(`Files for you:\n  ${path} (4 bytes)`);
  const other = await call("run", "a report", ...model, "--yes=run_script,write_file");
  expect(other.stderr).toMatch(/For you: \S+\/files\/raw\.csv \(4 bytes\)/);
});

it("X-11 A-04 C-01 a person who refuses all changes sees what was not kept, and the run was refused", async () => {
  const { project, pressed, model } = await held();
  const run = ["run", "a report", ...model, "--yes=run_script"];
  const ended = await pressed("Keep the changes?", ["n\r"], ...run);
  expect(ended.exitCode, ended.text).toBe(3);
  expect(ended.text).toMatch(/not kept notes\.txt, report\.md \(write_file was not approved\)/);
  expect(ended.text).toContain("an approval was refused");
  expect(ended.text).not.toContain("report.md created");
  expect(ended.text).not.toContain("For the user");
  expect(ended.text).toMatch(/For you:\s+\S+raw\.csv/);
  expect(existsSync(join(project, "report.md"))).toBe(false);
});

it("X-11 P-03 a process that was killed before it recorded the decision does not leave the run waiting", async () => {
  const { folder, call, runId, show, isSound } = await held();
  const changes = await RunChanges.inFolder(join(folder, "state/skillwright/runs", runId));
  await changes?.apply(() => true);
  expect(await show()).toMatchObject({ status: "needs_approval", heldChanges: 2 });
  expect((await call("runs", "changes", runId, "--apply")).exitCode).toBe(0);
  expect(await show()).toMatchObject({ status: "answered", settled: [{ count: 0 }] });
  await isSound();
});

it("X-11 P-06 nothing is decided that the record cannot take", async () => {
  const { folder, project, call, runId, show } = await held();
  const stateDirectory = join(folder, "state/skillwright");
  const redactor = createRedactor({ env: {} });
  const log = await createFileStore({ root: project, stateDirectory, redactor }).open(runId);
  const refused = await call("runs", "changes", runId, "--apply");
  log?.close();
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("error") });
  expect(existsSync(join(project, "report.md"))).toBe(false);
  expect(await show()).toMatchObject({ status: "needs_approval", heldChanges: 2, settled: [] });
});

it("X-11 a change that cannot be kept any more is named, with the copy that the script made", async () => {
  const { project, call, runId } = await held();
  writeFileSync(join(project, "notes.txt"), "mine\n");
  const { stderr } = await call("runs", "changes", runId);
  const [, copy = ""] = /Cannot be kept: notes.txt: .*script made of it: (\S+)/.exec(stderr) ?? [];
  expect(readFileSync(copy, "utf8")).toBe("notes\nmore\n");
  expect(stderr).toContain("Copy what you want of these by hand, then discard them.");
  expect(stderr).not.toContain("Cannot be kept: report.md");
  await call("runs", "changes", runId, "notes.txt", "--discard");
  expect((await call("runs", "changes", runId)).stderr).not.toContain("Cannot be kept");
});

it("X-11 X-10 a file that a script made and that is held is edited, not created", async () => {
  const input = { path: "report.md", old_text: "Report", new_text: "Summary" };
  const edit = { action: "use_tool", tool: "edit_file", input };
  const { project, call, runId, show } = await held([SELECT, MAKE, edit, ANSWER]);
  const { decisions, heldChanges } = await show();
  expect(JSON.stringify(decisions)).toContain("Edited report.md (1 replacement; now 1 line");
  expect(heldChanges).toBe(2);
  await call("runs", "changes", runId, "--apply");
  expect(readFileSync(join(project, "report.md"), "utf8")).toBe("# Summary\n");
});

it("X-11 many changes are listed before their differences", async () => {
  const script = `for i in range(30): open(f"f{i:02}.txt", "w").write("x\\n")`;
  const { call, project } = await held(undefined, "", script);
  const { stdout } = await call("runs", "changes");
  expect(stdout.indexOf("created  f29.txt")).toBeGreaterThan(0);
  expect(stdout.indexOf("created  f29.txt")).toBeLessThan(stdout.indexOf("+x"));

  const input = JSON.stringify({ skill_name: "report", script_file: "make.py" });
  const flags = ["--preset", "scripts", "--trust", "--yes=run_script", "--input", input];
  const one = await call("tools", "call", "run_skill_script", ...flags);
  expect(one.stderr).not.toContain("Call it again");
  const listed = await call("runs", "list");
  expect(listed.stderr).toMatch(/Of a call, 30 changes wait: skillwright runs changes \S+\n/);
  expect(existsSync(join(project, "f29.txt"))).toBe(false);
});

it("X-11 a run that waits for its changes alone does not ask the model while they stay held", async () => {
  const { model, pressed, runId, show } = await held();
  const question = "Keep these changes of scripts?";
  const ended = await pressed(question, ["\r"], "runs", "resume", runId, ...model);
  expect(ended.exitCode, ended.text).toBe(3);
  expect(ended.text).toContain(`The changes stay held: skillwright runs changes ${runId}`);
  expect(await show()).toMatchObject({ status: "needs_approval", answer: "Made it.", resumed: 0 });
});

it("X-11 without a name the latest run is taken, and without a run that is said", async () => {
  const { call } = await held();
  const empty = temporaryFolder({ "a.txt": "" });
  const none = await runCli(["runs", "show"], { cwd: empty, env: { HOME: empty } });
  expect(none).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("there is no run in this project"),
  });
  expect((await call("runs", "changes", "--apply")).exitCode).toBe(0);
  expect((await call("runs", "changes")).stderr).toContain("The latest run: ");
});
