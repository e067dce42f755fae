import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const PATIENCE_MS = 40_000;
const STEP_MS = 50;
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

const WAIT = `import sys, time
for i in range(int(sys.argv[1])):
    print("数到", i, flush=True)
    time.sleep(0.5)
print("counted")
`;
const REASON =
  "需要慢慢地数数，这个技能正好适合这个请求，因为它会一步一步地数，而且说明里写得很清楚。";
const LONG_TITLE =
  "选择一个合适的技能来完成这个很长很长的任务，看看宽字符会不会超出屏幕的宽度，导致换行错误";

/** A unique last argument, by which the process of the script can be found. */
function actions(count: number, mark: string, steps = 3): readonly unknown[] {
  const titles = [LONG_TITLE, ...Array.from({ length: steps - 1 }, (_, i) => `step ${i + 2}`)];
  const plan = titles.map((title, i) => ({
    id: `${i}`,
    title,
    status: i === 0 ? "completed" : i === 1 ? "in_progress" : "pending",
  }));
  const update = plan.map(({ id }) => ({ id, status: "completed" }));
  return [
    {
      action: "select_skills",
      skills: [{ name: "slow" }],
      reason: REASON,
      plan_update: { replace: { goal: "count", steps: plan } },
    },
    {
      action: "run_script",
      skill: { name: "slow" },
      relative_path: "scripts/wait.py",
      args: [`${count}`, mark],
    },
    { action: "final_answer", answer: "数完了。 All counted.", plan_update: { patch: { update } } },
  ];
}

interface RunOptions {
  /** Half seconds that the script takes. */
  readonly count?: number;
  readonly steps?: number;
  readonly args?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The model wants the same again after a refusal. */
  readonly insists?: boolean;
}

function project({ count = 2, steps = 3, insists = false }: RunOptions) {
  const mark = `mark-${randomBytes(6).toString("hex")}`;
  const cwd = temporaryFolder({
    ".git/HEAD": "",
    ".agent/skills/slow/SKILL.md": skillText("slow", "Counts slowly. Use to wait. 慢慢地数数。"),
    ".agent/skills/slow/scripts/wait.py": WAIT,
    "actions.json": JSON.stringify({
      actions: actions(count, mark, steps).flatMap((one, i) =>
        insists && i === 1 ? [one, one] : [one],
      ),
    }),
  });
  const HOME = temporaryFolder();
  return { cwd, mark, env: { PATH: process.env["PATH"] ?? "", HOME, LANG: "C.UTF-8" } };
}

const FLAGS = "--trust --model mock:actions.json";

/** `skillwright run` in a terminal of its own. */
class Terminal {
  readonly cwd: string;
  readonly mark: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #socket = join(temporaryFolder(), "tmux");
  readonly #raw = join(temporaryFolder(), "raw");
  readonly #end = `ended-${randomBytes(4).toString("hex")}`;

  constructor(options: RunOptions = {}) {
    const { args = "", columns = 80, rows = 24 } = options;
    const { cwd, mark, env } = project(options);
    this.cwd = cwd;
    this.mark = mark;
    this.env = { ...env, TERM: "xterm-256color" };
    // Inside, as tmux has a word for its terminal too.
    const given = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`);
    const program = ["env", ...given, `"${process.execPath}"`, `"${BIN}"`].join(" ");
    const command = `${program} run count ${FLAGS} ${args}`;
    // What it writes is kept too: a screen does not show how it came about. Waits for that.
    const kept = `read -r _; ${command}; echo "${this.#end} $?"; sleep 600`;
    const size = ["-x", `${columns}`, "-y", `${rows}`];
    const started = spawnSync(
      "tmux",
      ["-S", this.#socket, "-f", "/dev/null", "new-session", "-d", ...size, kept],
      { cwd, env: this.env, encoding: "utf8" },
    );
    onTestFinished(() => {
      this.#tmux("kill-server");
    });
    if (started.status !== 0) throw new Error(started.stderr);
    this.#tmux("pipe-pane", "-t", ":0", `cat > '${this.#raw}'`);
    this.keys("Enter");
  }

  keys(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", ":0", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-t", ":0", "-x", `${columns}`, "-y", `${rows}`);
  }

  /** What can be seen now, without what scrolled away. */
  get screen(): string {
    return this.#tmux("capture-pane", "-p", "-t", ":0");
  }

  get raw(): string {
    return readFileSync(this.#raw, "utf8");
  }

  /** Everything once this is there, lines joined that the terminal broke. */
  async shows(text: string): Promise<string> {
    for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
      const all = this.#tmux("capture-pane", "-p", "-J", "-S", "-500", "-t", ":0");
      if (all.includes(text)) return all;
      await setTimeout(STEP_MS);
    }
    throw new Error(`${text} did not appear:\n${this.screen}`);
  }

  async ends(): Promise<{ readonly exitCode: number; readonly all: string }> {
    const all = await this.shows(`${this.#end} `);
    return { exitCode: Number(all.split(`${this.#end} `)[1]?.split("\n")[0]), all };
  }

  /** Whether a process of the script is still there. */
  get isCounting(): boolean {
    return spawnSync("pgrep", ["-f", `wait.py [0-9]+ ${this.mark}`]).status === 0;
  }

  /** What the printed command does, as a person would paste it. */
  resume(all: string, ...more: readonly string[]) {
    const [, id = ""] = /skillwright runs resume (\S+)/.exec(all) ?? [];
    const args = [BIN, "runs", "resume", id, ...FLAGS.split(" "), ...more];
    return spawnSync(process.execPath, args, { cwd: this.cwd, env: this.env, encoding: "utf8" });
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }
}

// oxlint-disable-next-line no-control-regex
const COLOR = /\u001B\[[\d;]*[1-9][\d;]*m/;
// oxlint-disable-next-line no-control-regex
const MOVES = /\u001B\[\d*[A-K]/;

function countOf(all: string, part: string): number {
  return all.split(part).length - 1;
}

describe.skipIf(!hasTmux)("skillwright run in a terminal (skipped without tmux)", () => {
  it("C-01 A-03 shows the plan, the skill and why, the script and what it took", async () => {
    const terminal = new Terminal({ count: 6, args: "--yes=run_script" });
    await terminal.shows("running slow/scripts/wait.py 6");
    const { screen } = terminal;
    expect(screen).toMatch(/✓ .*…\n▸ step 2\n○ step 3\n\S running slow[^]*tokens · turn 2/);
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(all).toMatch(/skills {3}\d+ to choose from: slow/);
    expect(all).toMatch(/chose {4}slow \(project, \d+ tokens\)\n {9}需要慢慢地数数/);
    expect(all).toMatch(/script {3}slow\/scripts\/wait\.py 6 mark-\w+ \(\d\.\ds\)\n {9}│ 数到 0\n/);
    expect(all).toMatch(/✓ step 2\n✓ step 3\n\n数完了。 All counted\.\n\nslow · 2 steps · /);
    expect(all).toMatch(/skillwright runs show \d{8}T\S+\n/);
    expect(terminal.raw).toMatch(COLOR);
    // What changed is gone, and left nothing behind.
    expect(all).not.toContain("running");
    expect(countOf(all, "step 2")).toBe(1);
  });

  it("P-02 asks before a script, and goes on when it is allowed", async () => {
    const terminal = new Terminal();
    const asked = await terminal.shows("Allow run_script?");
    expect(asked).toMatch(/Tool {6}run_script scripts\/wait\.py/);
    terminal.keys("v", "Enter");
    await terminal.shows('print("数到", i, flush=True)');
    expect(terminal.isCounting).toBe(false);
    terminal.keys("y", "Enter");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(all).toMatch(/allowed {2}by you\nscript {3}slow\/scripts\/wait\.py/);
    expect(all).toContain("数完了。");
  });

  it("P-02 return alone refuses, and what the model answers without does not hide that", async () => {
    const terminal = new Terminal();
    await terminal.shows("Allow run_script?");
    terminal.keys("Enter");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(3);
    expect(all).toMatch(/refused {2}by you\n\n✓ [^]*数完了[^]*ended as denied/);
    expect(all).not.toContain("│ 数到");
  });

  it("P-02 one that wants the same again is not asked for again: the run ends with 3", async () => {
    const terminal = new Terminal({ insists: true });
    await terminal.shows("Allow run_script?");
    terminal.keys("Enter");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(3);
    expect(all).toMatch(/refused {2}by you[^]*ended as denied[^]*skillwright runs show \d/);
    expect(all).not.toContain("│ 数到");
  });

  it("P-02 Ctrl-C at the question is no answer: the run can go on and asks again", async () => {
    const terminal = new Terminal();
    await terminal.shows("Allow run_script?");
    terminal.keys("C-c");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(130);
    expect(all).not.toContain("refused");
    expect(terminal.resume(all)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("--approve"),
    });
    expect(terminal.resume(all, "--yes=run_script")).toMatchObject({ status: 0 });
  });

  it("A-04 asks whether a run that used up its budget goes on", async () => {
    const terminal = new Terminal({ args: "--yes=run_script --budget-turns 2" });
    const asked = await terminal.shows("The run used up its budget.");
    expect(asked).toMatch(/Go on, up to 30 turns in all\n[^]*Stop here/);
    terminal.keys("Enter");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(all).toContain("数完了。");
    expect(all).not.toContain("ended as");
  });

  it("A-04 ends with the way to go on when the answer is no", async () => {
    const terminal = new Terminal({ args: "--yes=run_script --budget-turns 2" });
    await terminal.shows("The run used up its budget.");
    terminal.keys("Down", "Enter");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(1);
    expect(all).toMatch(/ended as budget_exhausted[^]*--budget-turns 30/);
  });

  it("C-01 A-04 Ctrl-C once finishes the step, stops, and says how it goes on", async () => {
    const terminal = new Terminal({ count: 6, args: "--yes=run_script" });
    await terminal.shows("running slow");
    terminal.keys("C-c");
    await terminal.shows("Finishing this step, press Ctrl-C again to stop now.");
    await terminal.shows("then it stops");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(130);
    expect(all).toMatch(
      /│ 数到 0[^]*ended as canceled[^]*Continue it with:\n {2}skillwright runs resume/,
    );
    expect(all).not.toContain("数完了");
    const resumed = terminal.resume(all);
    expect(resumed).toMatchObject({ status: 0, stdout: "数完了。 All counted.\n" });
    expect(resumed.stderr, "what was done is not done again").not.toContain("wait.py");
  });

  it("C-01 X-05 Ctrl-C twice stops now, with what was started, and can go on", async () => {
    const terminal = new Terminal({ count: 200, args: "--yes=run_script" });
    await terminal.shows("running slow");
    await expect.poll(() => terminal.isCounting, { timeout: PATIENCE_MS }).toBe(true);
    terminal.keys("C-c");
    await terminal.shows("Finishing this step");
    terminal.keys("C-c");
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(130);
    expect(all).toMatch(/Stopping now\.[^]*skillwright runs resume \S+ \\\n {2}--trust/);
    expect(terminal.isCounting).toBe(false);
    expect(terminal.resume(all)).toMatchObject({ status: 0, stdout: "数完了。 All counted.\n" });
  });

  it("C-01 survives that the terminal gets narrower, wider and lower", async () => {
    const terminal = new Terminal({ count: 16, args: "--yes=run_script" });
    await terminal.shows("running slow");
    for (const [columns, rows] of [
      [50, 24],
      [100, 20],
      [40, 20],
      [80, 12],
    ] as const) {
      terminal.resize(columns, rows);
      const isDrawnOnce = () => countOf(terminal.screen, "running slow") === 1;
      await setTimeout(300);
      await expect.poll(isDrawnOnce, { timeout: PATIENCE_MS, message: `${columns}` }).toBe(true);
      const lines = terminal.screen.split("\n");
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(all).not.toContain("running");
    for (const part of ["skills   ", "chose    ", "allowed  ", "script   ", "step 3"]) {
      expect(countOf(all, part), part).toBe(1);
    }
  });

  it("C-01 fits into 20 lines with a long plan, and what is done scrolls up", async () => {
    const terminal = new Terminal({ count: 4, steps: 40, rows: 20, args: "--yes=run_script" });
    await terminal.shows("running slow");
    const { screen } = terminal;
    expect(screen).toMatch(/allowed {2}by --yes=run_script\n\n1 of 40 steps done\n✓ /);
    expect(screen).toMatch(/▸ step 2\n○ step 3\n[^]*\n\S running slow[^]*tokens/);
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(all).toMatch(/skills {3}[^]*chose {4}[^]*allowed[^]*script {3}[^]*40 of 40 steps done/);
    expect(countOf(all, "chose    ")).toBe(1);
  });

  it("C-01 keeps Chinese text within a narrow terminal", async () => {
    const terminal = new Terminal({ count: 4, columns: 40, args: "--yes=run_script" });
    await terminal.shows("running slow");
    for (let i = 0; i < 5; i++) {
      const lines = terminal.screen.split("\n");
      expect(lines.filter((line) => line.startsWith("✓ "))).toHaveLength(1);
      await setTimeout(150);
    }
    const { all } = await terminal.ends();
    expect(all).toMatch(/ {9}需要慢慢地数数，这个技能正好适\n {9}合这个请求/);
  });

  it("C-01 NO_COLOR takes the colours, not the view", async () => {
    const terminal = new Terminal({
      count: 6,
      args: "--yes=run_script",
      env: { NO_COLOR: "1" },
    });
    await terminal.shows("running slow");
    const { exitCode } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(terminal.raw).not.toMatch(COLOR);
    expect(terminal.raw).toMatch(MOVES);
  });

  it.each([{ CI: "true" }, { TERM: "dumb" }])("C-01 plain lines for %o", async (env) => {
    const terminal = new Terminal({ args: "--yes=run_script", env });
    const { exitCode, all } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(all).toMatch(/skill {3}slow \(project\)\nrun {5}slow\/scripts\/wait\.py/);
    expect(terminal.raw).not.toMatch(MOVES);
  });
});

/** The same without a terminal. */
function piped(args: readonly string[], options: RunOptions = {}) {
  const { cwd, env, mark } = project(options);
  const all = [BIN, "run", "count", ...FLAGS.split(" "), ...args];
  const child = spawn(process.execPath, all, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, printed, ended, cwd, mark };
}

describe("skillwright run without a terminal", () => {
  it("C-01 writes no escape sequence, and does not wait for an idle stdin", async () => {
    const { printed, ended } = piped(["--yes=run_script"]);
    expect(await ended).toBe(0);
    expect(printed.stdout).toBe("数完了。 All counted.\n");
    expect(printed.stderr).toContain("run     slow/scripts/wait.py 2");
    expect(printed.stdout + printed.stderr).not.toContain("\u001B");
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("C-01 %s stops it now, with 130", async (signal) => {
    const { child, printed, ended, cwd, mark } = piped(["--yes=run_script"], { count: 200 });
    const hasBegun = () => printed.stderr.includes("run     slow");
    await expect.poll(hasBegun, { timeout: PATIENCE_MS }).toBe(true);
    child.kill(signal);
    expect(await ended).toBe(130);
    expect(printed.stderr).toMatch(/stopping now[^]*Continue it with: skillwright runs resume/);
    expect(spawnSync("pgrep", ["-f", mark]).status).toBe(1);
    const runs = readdirSync(join(cwd, ".agent/runs")).filter((one) => !one.startsWith("."));
    expect(runs).toHaveLength(1);
  });
});
