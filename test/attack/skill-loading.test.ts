import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const SELECT = { action: "select_skills", skills: [{ name: "needy" }] };
const RUN = {
  action: "run_script",
  skill: { name: "needy" },
  relative_path: "scripts/a.mjs",
  args: [],
};
const ANSWER = { action: "final_answer", answer: "went on" };

/** Writes down every process that Node starts. */
const HOOK = `const processes = require("node:child_process");
const { appendFileSync } = require("node:fs");
const write = (command) => appendFileSync(process.env.PROCESSES, JSON.stringify(command) + "\\n");
const { ChildProcess } = processes;
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  write(options.args);
  return spawn.call(this, options);
};
for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  const original = processes[name];
  processes[name] = (file, ...more) => {
    write([file, ...more.flat()]);
    return original(file, ...more);
  };
}
`;

function runWith(requires: string, actions: readonly unknown[]) {
  const folder = temporaryFolder({
    "hook.cjs": HOOK,
    "home/.keep": "",
    processes: "",
    "work/skills/needy/SKILL.md": skillText(
      "needy",
      undefined,
      `metadata:\n  requires: "${requires}"\n`,
    ),
    "work/skills/needy/scripts/a.mjs": "console.log('it ran');\n",
    "work/mock.json": JSON.stringify({ actions }),
  });
  const work = join(folder, "work");
  const args = ["run", "do it", "--root", "skills", "--model", "mock:mock.json"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BIN, ...args, "--trust", "--yes=run_script"],
    {
      cwd: work,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: join(folder, "home"),
        PROCESSES: join(folder, "processes"),
        NODE_OPTIONS: `--require ${join(folder, "hook.cjs")}`,
      },
    },
  );
  const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean);
  const processes = linesOf(join(folder, "processes")).map((line) => JSON.parse(line) as unknown[]);
  const run = readdirSync(join(work, ".agent/runs")).find((name) => /^\d/.test(name)) ?? "";
  const events = linesOf(join(work, ".agent/runs", run, "events.jsonl"))
    .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> })
    .filter(({ event }) => event.startsWith("script-"))
    .map(({ event, data }) => ({ event, ...data }));
  return { status, stdout, stderr, processes, events };
}

it("D-04 loading a skill starts no process, whatever it requires", () => {
  const requires = "perl>=1 git>=1 python3>=3 bash>=1 sh>=1 reboot>=1 bin:git not//a//name";
  const { status, stdout, stderr, processes } = runWith(requires, [SELECT, ANSWER]);
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: "went on\n" });
  expect(stderr).toContain("needy");
  expect(processes).toEqual([]);
});

it("D-04 X-05 versions are asked for in the sandbox, of interpreters only, and recorded", () => {
  const requires = "git>=1 python3>=3.0 node>=18 bash>=3 sh>=1 unlisted>=2";
  const { status, stderr, processes, events } = runWith(requires, [SELECT, RUN, ANSWER]);
  expect(status, stderr).toBe(0);
  // A fixed shell script guards bubblewrap and gets it as an argument.
  const programs = processes.map(([program, , , , guarded]) => {
    const name = basename(String(program));
    return name === "sh" ? basename(String(guarded)) : name;
  });
  // The last three make the view of the working directory.
  const expected = ["bwrap", "mkfifo", "mknod", "nsenter", "unshare"];
  expect(new Set(programs)).toEqual(new Set(expected));
  expect(JSON.stringify(processes)).not.toMatch(/\/git"|--version|unlisted/);
  expect(events).toMatchObject([
    { event: "script-start", requires: ["python3>=3.0", "node>=18", "bash>=3"] },
    {
      event: "script-end",
      ok: true,
      requirements: [
        { requirement: "python3>=3.0", version: expect.stringMatching(/^3\./), met: true },
        { requirement: "node>=18", version: process.versions.node, met: true },
        { requirement: "bash>=3", version: expect.stringMatching(/^\d+\./), met: true },
      ],
    },
  ]);
});

it("D-04 a script whose interpreter is too old does not run", () => {
  const { stderr, events } = runWith("python>=99", [SELECT, RUN, ANSWER]);
  expect(stderr).toContain('the skill "needy" requires python>=99');
  expect(stderr).not.toContain("it ran");
  expect(events).toMatchObject([
    { event: "script-start", requires: ["python>=99"] },
    {
      event: "script-end",
      ok: false,
      exitCode: null,
      code: "requirement-unmet",
      requirements: [{ requirement: "python>=99", met: false }],
    },
  ]);
});
