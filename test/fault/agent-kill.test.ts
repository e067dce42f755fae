import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { sample } from "../support/suite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bundleCommandLine } from "./agent-bundle.ts";

let program = "";
beforeAll(async () => {
  program = await bundleCommandLine();
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));

const SKILL = "project/.agent/skills/log";
const EFFECTS = ["one", "two", "three"];

function place(wait = "time.sleep(0.05)") {
  const script = (argument: string) => ({
    action: "run_script",
    skill: { name: "log" },
    relative_path: "scripts/log.py",
    args: [argument],
  });
  const actions = [
    { action: "select_skills", skills: [{ name: "log" }] },
    ...EFFECTS.map(script),
    { action: "final_answer", answer: "all is logged" },
  ];
  const folder = temporaryFolder({
    [`${SKILL}/SKILL.md`]: skillText("log", "Logs words. Use to log them."),
    [`${SKILL}/scripts/log.py`]: `import sys, time
f = open("log.txt", "a"); f.write(sys.argv[1] + "\\n"); f.close(); ${wait}; print("logged", sys.argv[1])
`,
    "actions.json": JSON.stringify({ actions }),
    "config.json": JSON.stringify({ execution: { writable: ["."] } }),
  });
  const project = join(folder, "project");
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const commonArgs = ["--config", join(folder, "config.json"), "--json"];
  const acting = ["--trust", "--yes=run_script", "--model", `mock:${join(folder, "actions.json")}`];
  const start = (...args: string[]) =>
    spawn(process.execPath, [program, ...args, ...acting, ...commonArgs], {
      cwd: project,
      env,
      stdio: "ignore",
    });
  const call = (...args: string[]) => {
    const options = { cwd: project, env, encoding: "utf8" } as const;
    const run = spawnSync(process.execPath, [program, ...args, ...commonArgs], options);
    return { code: run.status, answer: JSON.parse(run.stdout) as Record<string, unknown> };
  };
  const runs = join(project, ".agent/runs");
  const runId = () => readdirSync(runs).find((name) => !name.startsWith(".")) ?? "";
  const lines = (): string[] => {
    const file = existsSync(runs) ? join(runs, runId(), "events.jsonl") : "";
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  };
  const effects = () => {
    const file = join(project, "log.txt");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  };
  return { start, call, runId, lines, effects, acting };
}

/** Kills it once the record has so many lines; false when it was faster. */
async function killAt(world: ReturnType<typeof place>, count: number, ...args: string[]) {
  const child = world.start(...args);
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (child.exitCode === null && world.lines().length < count) await setTimeout(1);
  const isKilled = child.kill("SIGKILL");
  await ended;
  return isKilled;
}

describe("kill -9 of a run", () => {
  it.each(sample([1, 3, 5, 7, 9, 10, 11, 12, 14, 17, 20, 23], 3))(
    "P-03 X-05 when its record has %i lines: it goes on, and each effect comes at most once",
    async (count) => {
      const world = place();
      await killAt(world, count, "run", "log three words");
      const before = world.lines().length;
      expect(before).toBeGreaterThan(0);
      const wasAnswered = world.lines().some((line) => line.includes('"event":"run-end"'));
      const resumed = world.call("runs", "resume", world.runId(), ...world.acting);
      const interrupted = world.lines().filter((line) => line.includes('"code":"interrupted"'));
      // The last script was cut off, and nothing was done after it.
      const isFailed = interrupted.some((line) => line.includes('"turn":4'));
      const status = isFailed ? "failed" : "answered";
      const ended = { code: isFailed ? 1 : 0, answer: { status, answer: "all is logged" } };
      expect(resumed).toMatchObject(wasAnswered ? { code: 1 } : ended);
      const effects = world.effects();
      expect(new Set(effects).size).toBe(effects.length);
      expect(effects).toEqual(EFFECTS.filter((effect) => effects.includes(effect)));
      expect(effects.length).toBeGreaterThanOrEqual(EFFECTS.length - interrupted.length);
      expect(world.call("runs", "verify", world.runId())).toMatchObject({ code: 0 });
      expect(world.call("runs", "replay", world.runId())).toMatchObject({ code: 0 });
    },
  );

  it("P-03 twice, and the second time while it is resumed", async () => {
    const world = place();
    await killAt(world, 9, "run", "log three words");
    await killAt(world, world.lines().length + 4, "runs", "resume", world.runId());
    world.call("runs", "resume", world.runId(), ...world.acting);
    const shown = world.call("runs", "show", world.runId());
    expect(["answered", "failed"]).toContain(shown.answer["status"]);
    const effects = world.effects();
    expect(new Set(effects).size).toBe(effects.length);
    expect(world.call("runs", "replay", world.runId())).toMatchObject({ code: 0 });
  });
});

function isRunning(...words: readonly string[]): boolean {
  const wanted = `${words.join("\0")}\0`;
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").endsWith(wanted);
    } catch {
      return false;
    }
  });
}

describe("Ctrl-C", () => {
  it("A-04 X-05 ends a run cleanly, in the middle of a script, and it can go on", async () => {
    const world = place("time.sleep(60)");
    const child = world.start("run", "log three words");
    const ended = new Promise((resolve) => child.once("close", resolve));
    while (child.exitCode === null && !isRunning("/skill/scripts/log.py", "one")) {
      await setTimeout(5);
    }
    // The first one lets the step come to its end, the second one does not wait for it.
    child.kill("SIGINT");
    await setTimeout(300);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(world.lines().at(-1)).toContain('"status":"canceled"');
    expect(world.call("runs", "verify")).toMatchObject({ code: 0 });
    expect(world.call("runs", "replay", world.runId())).toMatchObject({ code: 0 });
    const shown = world.call("runs", "show", world.runId());
    expect(shown.answer).toMatchObject({ status: "canceled", scripts: [{ ok: false }] });
    // A script that did not come to its end changed nothing.
    expect(world.effects()).toEqual([]);
  });
});
