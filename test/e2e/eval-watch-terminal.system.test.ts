import { spawnSync } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { builtEval } from "../support/built-eval.ts";
import { CSV } from "../support/eval-world.ts";
import { liveEval } from "../support/live-eval.ts";
import { agentAndJudge } from "../support/model-server/agent-and-judge.ts";
import { skillText } from "../support/skill-tree.ts";
import { hasTmux, TmuxTerminal } from "../support/tmux-terminal.ts";

const WATCHING = "and their skills; Ctrl-C ends it.";
const SKILL = ".agent/skills/csv/SKILL.md";
const FILE = ".agent/evals/cases.yaml";
const ONE = `cases:
  - id: table
    input: Profile the table
    expected: { skills: [csv], output: [{ type: contains, value: three columns }] }
`;
const PATIENCE = { timeout: 45_000, interval: 100 };
const NEVER = { chunks: [], end: "never" } as const;

/** Processes that still have the folder in their arguments or as their working directory. */
function processesIn(folder: string): string {
  const listed = spawnSync("sh", ["-c", "ls -l /proc/[0-9]*/cwd 2>/dev/null"], {
    encoding: "utf8",
  });
  return listed.stdout
    .split("\n")
    .filter((line) => line.includes(folder))
    .join("\n");
}

describe.skipIf(!hasTmux)("eval --watch in a terminal (skipped without tmux)", () => {
  it("C-01 shows the summary, what it waits for, what changed, and ends on Ctrl-C", async () => {
    const { project, env, write, leftOver } = builtEval();
    const terminal = new TmuxTerminal("eval --trust --watch", { cwd: project, env });
    const first = await terminal.shows(WATCHING);
    expect(first).toContain("3 of 3 cases");
    // The line of the progress is gone when something else is shown.
    expect(first).not.toMatch(/trials/);
    write(SKILL, skillText("csv", "Something about nothing at all."));
    const second = await terminal.shows(WATCHING, 2);
    expect(second).toContain("Changed: the skill csv. Running 3 of 3 cases again.");
    expect(second).toContain("cases/table");
    write(FILE, "cases: [ {");
    const broken = await terminal.shows("Waiting until that is fixed; Ctrl-C ends it.");
    expect(broken).toMatch(/^\.agent\/evals\/cases\.yaml:\d+: error: /m);
    terminal.keys("C-c");
    expect((await terminal.ends()).exitCode).toBe(130);
    expect(leftOver()).toEqual([]);
  });

  it("C-01 R-12 whoever trusts the folder only this time is not asked after every edit", async () => {
    const { project, env, write } = builtEval();
    const terminal = new TmuxTerminal("eval --watch", { cwd: project, env });
    await terminal.shows("go on without these skills");
    terminal.keys("Up", "Enter");
    await terminal.shows(WATCHING);
    write(SKILL, `${skillText("csv", CSV)}\nEdited.\n`);
    const screen = await terminal.shows(WATCHING, 2);
    expect(screen.split("Watching 3 cases")).toHaveLength(3);
    expect(screen.split("Trust this folder?")).toHaveLength(2);
    terminal.keys("C-c");
    expect((await terminal.ends()).exitCode).toBe(130);
  });

  it("C-01 an edit in the middle of a run drops it: nothing old is shown as new", async () => {
    const { project, env, write, server, live, key, leftOver, saved } = await liveEval({
      [FILE]: ONE,
    });
    server.answer(NEVER);
    const args = ["eval --trust --watch --save now.json", ...live].join(" ");
    const terminal = new TmuxTerminal(args, { cwd: project, env: { ...env, ...key } });
    await vi.waitUntil(() => server.requests.length > 0, PATIENCE);
    server.answer(agentAndJudge({ agent: () => "It has three columns." }));
    write(SKILL, `${skillText("csv", CSV)}\nEdited.\n`);
    const screen = await terminal.shows(WATCHING);
    expect(screen).toContain("these results are dropped, and it starts anew");
    expect(screen.match(/^(?:✓ PASS|✗ FAIL|! ERROR)/gm)).toEqual(["✓ PASS"]);
    expect(saved("now.json").trials.map(({ outcome }) => outcome)).toEqual(["pass"]);
    terminal.keys("C-c");
    expect((await terminal.ends()).exitCode).toBe(130);
    expect(leftOver()).toEqual([]);
  });

  it("C-01 Ctrl-C in the middle of a run waits for it, and twice ends it now", async () => {
    const { project, env, server, live, key, leftOver } = await liveEval({ [FILE]: ONE });
    server.answer(NEVER);
    const args = ["eval --trust --watch", ...live].join(" ");
    const terminal = new TmuxTerminal(args, { cwd: project, env: { ...env, ...key } });
    await vi.waitUntil(() => server.requests.length > 0, PATIENCE);
    terminal.keys("C-c");
    await terminal.shows("Ctrl-C again stops now");
    terminal.keys("C-c");
    const { exitCode, screen } = await terminal.ends();
    expect(exitCode).toBe(130);
    expect(screen).not.toContain("--resume");
    expect(leftOver()).toEqual([]);
  });

  it.each([
    ["while it waits", false],
    ["while it runs", true],
  ])("C-01 a terminal that is closed %s leaves no process and no folder", async (_, isRunning) => {
    const { project, env, server, live, key, leftOver } = await liveEval({ [FILE]: ONE });
    server.answer(isRunning ? NEVER : agentAndJudge({ agent: () => "It has three columns." }));
    const args = ["eval --trust --watch", ...live].join(" ");
    const terminal = new TmuxTerminal(args, { cwd: project, env: { ...env, ...key } });
    if (isRunning) await vi.waitUntil(() => server.requests.length > 0, PATIENCE);
    else await terminal.shows(WATCHING);
    terminal.close();
    await vi.waitUntil(() => processesIn(project) === "", PATIENCE);
    expect(leftOver()).toEqual([]);
  });
});
