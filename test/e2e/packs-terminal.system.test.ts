import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const NAMES = Array.from(
  { length: 15 },
  (_, index) => `skill-${String(index + 1).padStart(2, "0")}`,
);
const PATIENCE_MS = 30_000;
const STEP_MS = 100;

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** A terminal of its own with a project in it. */
class Terminal {
  readonly cwd = temporaryFolder({
    ".git/HEAD": "",
    ...Object.fromEntries(NAMES.map((name) => [`pack/${name}/SKILL.md`, skillText(name)])),
  });
  readonly #socket = join(temporaryFolder(), "tmux");
  readonly #end = `ended-${randomBytes(4).toString("hex")}`;

  constructor(args: string, env: Readonly<Record<string, string>> = {}) {
    const HOME = temporaryFolder();
    const command = `"${process.execPath}" "${BIN}" ${args}; echo "${this.#end} $?"; sleep 600`;
    const given = { PATH: process.env["PATH"] ?? "", HOME, TERM: "xterm-256color", ...env };
    const started = spawnSync(
      "tmux",
      [
        "-S",
        this.#socket,
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-x",
        "100",
        "-y",
        "40",
        command,
      ],
      { cwd: this.cwd, env: given, encoding: "utf8" },
    );
    onTestFinished(() => {
      this.#tmux("kill-server");
    });
    if (started.status !== 0) throw new Error(started.stderr);
  }

  keys(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", ":0", ...keys);
  }

  /** What is on the screen once this is; with colours as escape sequences. */
  async shows(text: string): Promise<string> {
    for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
      const screen = this.#tmux("capture-pane", "-p", "-e", "-S", "-200", "-t", ":0");
      if (plain(screen).includes(text)) return screen;
      await setTimeout(STEP_MS);
    }
    throw new Error(`${text} did not appear:\n${this.#tmux("capture-pane", "-p", "-t", ":0")}`);
  }

  async ends(): Promise<{ readonly exitCode: number; readonly screen: string }> {
    const screen = await this.shows(`${this.#end} `);
    const exitCode = Number(plain(screen).split(`${this.#end} `)[1]?.split("\n")[0]);
    return { exitCode, screen };
  }

  get installed(): readonly string[] {
    const root = join(this.cwd, ".agent/skills");
    if (!existsSync(root)) return [];
    return readdirSync(root).filter((name) => name !== ".skillwright");
  }

  get staged(): readonly string[] {
    const folder = join(this.cwd, ".agent/skills/.skillwright/staging");
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }
}

// oxlint-disable-next-line no-control-regex
const COLORS = /\u001B\[[\d;]*m/;

function plain(screen: string): string {
  return screen.replaceAll(new RegExp(COLORS, "g"), "");
}

describe.skipIf(!hasTmux)("install in a terminal (skipped without tmux)", () => {
  it("K-01 K-02 asks which of many skills, and installs those that were chosen", async () => {
    const terminal = new Terminal("install ./pack");
    const asked = await terminal.shows("Which of the 15 skills?");
    expect(plain(asked)).toContain("skill-01");
    expect(asked).toMatch(COLORS);
    terminal.keys("Space", "Down", "Down", "Space", "Enter");
    const { exitCode, screen } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(terminal.installed).toEqual(["skill-01", "skill-03"]);
    expect(plain(screen)).toMatch(/skill-03 installed/);
    expect(plain(screen)).toContain("skillwright undo takes this back");
    const lock = readFileSync(join(terminal.cwd, ".agent/skills.lock.json"), "utf8");
    expect(lock).toContain("skill-03");
    expect(lock).not.toContain("skill-02");
  });

  it("K-02 C-01 Ctrl-C at the question leaves nothing: exit 130", async () => {
    const terminal = new Terminal("install ./pack");
    await terminal.shows("Which of the 15 skills?");
    terminal.keys("Space", "C-c");
    const { exitCode, screen } = await terminal.ends();
    expect(exitCode).toBe(130);
    expect(plain(screen)).toContain("nothing was changed");
    expect([terminal.installed, terminal.staged]).toEqual([[], []]);
    expect(existsSync(join(terminal.cwd, ".agent/skills.lock.json"))).toBe(false);
    expect(existsSync(join(terminal.cwd, "skills-lock.json"))).toBe(false);
  });

  it("C-01 asks and reports without colours where NO_COLOR is set", async () => {
    const terminal = new Terminal("install ./pack", { NO_COLOR: "1" });
    expect(await terminal.shows("Which of the 15 skills?")).not.toMatch(COLORS);
    terminal.keys("Down", "Space", "Enter");
    const { exitCode, screen } = await terminal.ends();
    expect(exitCode).toBe(0);
    expect(screen).not.toMatch(COLORS);
    expect(terminal.installed).toEqual(["skill-02"]);
  });

  it("C-01 an error stands on a line of its own after the progress", async () => {
    const terminal = new Terminal("install ./pack --skill skill-99");
    const { exitCode, screen } = await terminal.ends();
    expect(exitCode).toBe(4);
    expect(plain(screen)).toMatch(/^error: the pack has no skill "skill-99"$/m);
  });

  it("C-01 asks nothing in CI", async () => {
    const terminal = new Terminal("install ./pack", { CI: "true" });
    const { exitCode, screen } = await terminal.ends();
    expect(exitCode).toBe(2);
    expect(plain(screen)).toContain("--all");
    expect(terminal.installed).toEqual([]);
  });
});
