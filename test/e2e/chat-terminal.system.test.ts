import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const PATIENCE_MS = 30_000;
const STEP_MS = 100;

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

const SELECT = { action: "select_skills", skills: [{ name: "slow" }], reason: "It is slow." };
const SLEEP = {
  action: "run_script",
  skill: { name: "slow" },
  relative_path: "scripts/sleep.mjs",
  args: ["4"],
};
const said = (answer: string) => ({ action: "final_answer", answer });

interface Place {
  readonly cwd: string;
  readonly HOME: string;
  /** What a model with a fixed sequence decides. */
  readonly model: string;
}

function place(actions: readonly unknown[] = []): Place {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/sales.csv": "city,amount\nBonn,3\nKöln,5\nBonn,9\n",
    "project/.agent/skills/slow/SKILL.md": skillText("slow", "Waits. Use to wait."),
    "project/.agent/skills/slow/scripts/sleep.mjs":
      "setTimeout(() => console.log('slept'), Number(process.argv[2]) * 1000);\n",
    "home/.keep": "",
    "actions.json": JSON.stringify({ actions }),
  });
  const model = `--trust --sandbox none --model mock:${join(folder, "actions.json")}`;
  return { cwd: join(folder, "project"), HOME: join(folder, "home"), model };
}

/** A terminal of its own with a chat in it. */
class Terminal {
  readonly #socket = join(temporaryFolder(), "tmux");
  readonly #end = `ended-${randomBytes(4).toString("hex")}`;

  constructor({ cwd, HOME }: Place, args: string, env: Readonly<Record<string, string>> = {}) {
    const command = `"${process.execPath}" "${BIN}" chat ${args}; echo "${this.#end} $?"; sleep 600`;
    const given = {
      PATH: process.env["PATH"] ?? "",
      HOME,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      ...env,
    };
    const size = ["-x", "80", "-y", "20"];
    const started = spawnSync(
      "tmux",
      ["-u", "-S", this.#socket, "-f", "/dev/null", "new-session", "-d", ...size, command],
      { cwd, env: given, encoding: "utf8" },
    );
    onTestFinished(() => {
      this.#tmux("kill-server");
    });
    if (started.status !== 0) throw new Error(started.stderr);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-t", ":0", "-l", text);
  }

  keys(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", ":0", ...keys);
  }

  /** As a terminal does it: in brackets, with a return for each line break. */
  paste(text: string): void {
    this.#tmux("set-buffer", text);
    this.#tmux("paste-buffer", "-p", "-t", ":0");
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-t", ":0", "-x", String(columns), "-y", String(rows));
  }

  async send(text: string): Promise<void> {
    this.type(text);
    await this.shows(text.slice(-20));
    this.keys("Enter");
  }

  /** What is on the screen and above it once this is. */
  async shows(text: string | RegExp): Promise<string> {
    return this.#until(() => this.#tmux("capture-pane", "-p", "-S", "-500", "-t", ":0"), text);
  }

  /** Only the screen as it is. */
  async showsNow(text: string | RegExp): Promise<string> {
    return this.#until(() => this.#tmux("capture-pane", "-p", "-t", ":0"), text);
  }

  /** A prompt, with nothing behind it. */
  async asks(): Promise<string> {
    return this.showsNow(/\n>\s*$/);
  }

  withColors(): string {
    return this.#tmux("capture-pane", "-p", "-e", "-S", "-500", "-t", ":0");
  }

  async ends(): Promise<number> {
    const screen = await this.shows(`${this.#end} `);
    return Number(screen.split(`${this.#end} `)[1]?.split("\n")[0]);
  }

  async #until(look: () => string, text: string | RegExp): Promise<string> {
    const isThere = (screen: string) =>
      typeof text === "string" ? screen.includes(text) : text.test(screen);
    for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
      const screen = look();
      if (isThere(screen)) return screen;
      await setTimeout(STEP_MS);
    }
    throw new Error(`${String(text)} did not appear:\n${look()}`);
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-u", "-S", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }
}

function statuses({ cwd }: Place): readonly unknown[] {
  const runs = join(cwd, ".agent/runs");
  return readdirSync(runs)
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => {
      const text = readFileSync(join(runs, name, "run.json"), "utf8");
      return (JSON.parse(text) as { readonly status: unknown }).status;
    });
}

describe.skipIf(!hasTmux)("chat in a terminal of 20 lines (skipped without tmux)", () => {
  it("C-01 D-04 answers, keeps the skill for the next message, explains, and goes on later", async () => {
    const here = place();
    const first = new Terminal(here, "--trust --model offline --yes=run_script --sandbox none");
    await first.asks();
    await first.send("profile sales.csv");
    await first.shows("3 rows, 2 columns");
    await first.asks();
    await first.send("/why");
    expect(await first.shows("Nearest to the request")).toMatch(
      /● tabular-data \(builtin\), the model chose it/,
    );
    await first.send("and the sum of amount by city in sales.csv?");
    await first.shows("Bonn,2,12");
    await first.asks();
    await first.send("把 5 公里换算成英里");
    await first.shows(/3\.1\d/);
    await first.asks();
    await first.send("/skills");
    expect(await first.shows("SKILL  ")).toMatch(/unit-convert\s+active/);
    await first.asks();
    first.keys("C-d");
    expect(await first.ends()).toBe(0);
    expect(statuses(here)).toEqual(["answered", "answered", "answered"]);

    const second = new Terminal(here, "--continue --trust --model offline");
    const resumed = await second.asks();
    expect(resumed).toContain("3 exchanges");
    expect(resumed).toContain("> 把 5 公里换算成英里");
    second.keys("Up");
    await second.shows("> /skills");
    second.keys("C-c", "C-c");
    expect(await second.ends()).toBe(130);
  });

  it("C-01 Tab completes commands and skills, with what they are for", async () => {
    const terminal = new Terminal(place(), "--model offline");
    await terminal.shows("Trust this folder?");
    terminal.keys("Enter");
    await terminal.asks();
    terminal.type("/");
    terminal.keys("Tab");
    const menu = await terminal.showsNow("/unit-convert");
    expect(menu).toMatch(/\/why\s+why skills were or were not used/);
    expect(menu).not.toContain("/slow");
    terminal.keys("C-u");
    terminal.type("/un");
    terminal.keys("Tab");
    await terminal.showsNow("> /unit-convert \n".trimEnd());
    terminal.keys("C-u");
    terminal.type("/file sa");
    terminal.keys("Tab", "Enter");
    await terminal.shows("With the next message: sales.csv (");
    await terminal.send("/hepl");
    await terminal.shows("did you mean /help?");
  });

  it("C-01 a pasted text of several lines is one message, also one that is higher than the screen", async () => {
    const here = place([said("read it")]);
    const terminal = new Terminal(here, here.model);
    await terminal.asks();
    terminal.paste(Array.from({ length: 40 }, (_, i) => `line ${i + 1} 行`).join("\n"));
    await terminal.showsNow("> [line 1 行 … 40 lines]");
    terminal.resize(60, 20);
    terminal.type(" and more\\");
    terminal.keys("Enter");
    terminal.type("the end");
    await terminal.showsNow(/40 lines\] and more\\\n {2}the end/);
    terminal.keys("Enter");
    await terminal.shows("read it");
    const runs = readdirSync(join(here.cwd, ".agent/runs"));
    const run = runs.find((name) => /^\d/.test(name)) ?? "";
    const { request } = JSON.parse(
      readFileSync(join(here.cwd, ".agent/runs", run, "run.json"), "utf8"),
    ) as { readonly request: string };
    expect(request.split("\n")).toHaveLength(41);
    expect(request).toMatch(/^line 1 行\n[^]*line 40 行 and more\nthe end$/);
  });

  it("P-02 asks for an approval in the middle of a turn, whatever was typed before", async () => {
    const quick = { ...SLEEP, args: ["0"] };
    const here = place([SELECT, SLEEP, quick, said("waited")]);
    const terminal = new Terminal(here, here.model);
    await terminal.asks();
    await terminal.send("wait a little");
    await terminal.shows("Allow run_script?");
    terminal.keys("y", "Enter");
    await terminal.showsNow("running");
    // Would refuse the next call if the question got to read it.
    terminal.keys("Down", "Enter");
    terminal.type("later");
    await terminal.shows(/Allow run_script\?[^]*Allow run_script\?/);
    await setTimeout(500);
    expect(await terminal.showsNow("Allow run_script?")).not.toContain("waited");
    terminal.keys("y", "Enter");
    await terminal.shows("waited");
    // What was typed meanwhile is there, and was not sent.
    await terminal.showsNow("> later");
    expect(statuses(here)).toEqual(["answered"]);
  });

  it("P-02 a refusal ends the turn, not the conversation", async () => {
    const here = place([SELECT, SLEEP, SLEEP, said("well then")]);
    const terminal = new Terminal(here, here.model);
    await terminal.asks();
    await terminal.send("wait");
    await terminal.shows("Allow run_script?");
    terminal.keys("Enter");
    await terminal.asks();
    await terminal.send("do something else");
    await terminal.shows("well then");
    expect(statuses(here).at(-1)).toBe("answered");
  });

  it("C-01 Ctrl-C once lets the step end, twice stops now, and the conversation goes on", async () => {
    const here = place([SELECT, SLEEP, SLEEP, said("going on")]);
    const terminal = new Terminal(here, `${here.model} --yes=run_script`);
    await terminal.asks();
    await terminal.send("wait");
    await terminal.showsNow("running");
    terminal.keys("C-c");
    await terminal.shows("Finishing this step");
    await terminal.shows("ended as canceled");
    expect(await terminal.asks()).toContain("slept");
    terminal.keys("C-l");
    await terminal.send("again");
    await terminal.showsNow("running");
    terminal.keys("C-c");
    await terminal.shows(/Finishing this step[^]*Finishing this step/);
    terminal.keys("C-c");
    await terminal.shows("Stopping now");
    await terminal.asks();
    await terminal.send("and now");
    await terminal.shows("going on");
    await terminal.asks();
    await terminal.send("/exit");
    expect(await terminal.ends()).toBe(0);
    expect(statuses(here)).toEqual(["canceled", "canceled", "answered"]);
  });

  it("C-01 a conversation whose last turn was interrupted offers to go on with it", async () => {
    const here = place([SELECT, SLEEP, said("first part")]);
    const terminal = new Terminal(here, `${here.model} --yes=run_script`);
    await terminal.asks();
    await terminal.send("wait");
    await terminal.showsNow("running");
    terminal.keys("C-c");
    await terminal.shows("ended as canceled");
    await terminal.asks();
    terminal.keys("C-d");
    await terminal.ends();
    // A sequence begins anew in a new process.
    const again = new Terminal(here, `--continue ${here.model} --yes=run_script`);
    await again.shows("The last turn was interrupted.");
    again.keys("Enter");
    await again.shows("first part");
    await again.asks();
    expect(statuses(here)).toEqual(["answered"]);
  });

  it("P-02 a conversation that waits for an approval asks for it when somebody is there", async () => {
    const quick = { ...SLEEP, args: ["0"] };
    const here = place([SELECT, quick, said("approved at last")]);
    const terminal = new Terminal(here, `${here.model} "wait for me" < /dev/null`);
    expect(await terminal.ends()).toBe(3);
    expect(statuses(here)).toEqual(["needs_approval"]);
    const sequence = join(here.cwd, "../actions.json");
    writeFileSync(sequence, JSON.stringify({ actions: [said("approved at last")] }));
    const again = new Terminal(here, `--continue ${here.model}`);
    await again.shows("The last turn waits for an approval of run_script.");
    again.keys("Enter");
    await again.shows("Allow run_script?");
    again.keys("y", "Enter");
    await again.shows("approved at last");
    await again.asks();
    expect(statuses(here)).toEqual(["answered"]);
  });

  it("C-01 P-03 keeps what was typed for its user only, without secrets, and without colours for NO_COLOR", async () => {
    const here = place([said("noted")]);
    const secret = "hunter2hunter2";
    const terminal = new Terminal(here, here.model, { NO_COLOR: "1", MY_TOKEN: secret });
    await terminal.asks();
    await terminal.send(`the token is ${secret}`);
    await terminal.shows("noted");
    await terminal.asks();
    // oxlint-disable-next-line no-control-regex
    expect(terminal.withColors()).not.toMatch(/\u001B\[[\d;]*m/);
    const folder = join(here.HOME, ".local/state/skillwright/chat");
    const [file = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, file), "utf8")).toMatch(/the token is \[/);
    expect(readFileSync(join(folder, file), "utf8")).not.toContain(secret);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });
});
