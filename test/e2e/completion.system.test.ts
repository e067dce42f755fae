import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const HOSTILE = ["$(touch pwned-1)", "`touch pwned-2`", "x; touch pwned-3", "a'b\"c & d"];
const PATIENCE_MS = 20_000;
const STEP_MS = 100;

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** How each shell is started without the person's own settings, and told of the script. */
const SHELLS = {
  bash: { start: "bash --norc --noprofile -i", setup: 'eval "$(skillwright completion bash)"' },
  zsh: {
    start: "zsh -f -i",
    setup: 'autoload -U compinit; compinit -u -D; eval "$(skillwright completion zsh)"',
  },
  fish: { start: "fish --no-config -i", setup: "skillwright completion fish | source" },
} as const;

for (const [shell, { start, setup }] of Object.entries(SHELLS)) {
  const isThere = hasTmux && spawnSync(shell, ["--version"]).status === 0;
  describe.skipIf(!isThere)(`completion in ${shell} (skipped without ${shell} or tmux)`, () => {
    it("C-01 completes commands, options, values, skills and runs", async () => {
      const terminal = await Shell.start(start, setup);
      await terminal.completes("skillwright insp", "skillwright inspect ");
      await terminal.completes("skillwright list --sou", "skillwright list --source ");
      await terminal.completes(
        "skillwright list --source bui",
        "skillwright list --source builtin ",
      );
      await terminal.completes(
        "skillwright list --source=bui",
        "skillwright list --source=builtin",
      );
      await terminal.completes("skillwright inspect pdf-", "skillwright inspect pdf-tools ");
      await terminal.completes("skillwright runs sho", "skillwright runs show ");
      await terminal.completes("skillwright runs show 2026", "skillwright runs show 20261116T1037");
      await terminal.completes("skillwright run --file not", "skillwright run --file notes.txt ");
      await terminal.completes("skillwright run --file=not", "skillwright run --file=notes.txt");
      const screen = await terminal.completes(
        "skillwright lint not",
        "skillwright lint notes.txt ",
      );
      expect(screen).not.toMatch(/error|not found|readonly/i);
    });

    it("C-01 a hostile name is quoted: neither tab nor return runs it", async () => {
      const terminal = await Shell.start(start, setup);
      for (const [index, name] of HOSTILE.entries()) {
        const root = `hostile-${index}`;
        mkdirSync(join(terminal.cwd, root, "x"), { recursive: true });
        const head = `name: ${JSON.stringify(name)}\ndescription: Is hostile. Use never.`;
        writeFileSync(
          join(terminal.cwd, root, "x/SKILL.md"),
          `---\n${head}\n---\nread-${index}-well\n`,
        );
        // It is the only skill of its root, so that one tab is enough.
        terminal.type(`skillwright read --root ${root} `);
        await terminal.shows(`--root ${root}`);
        await terminal.changesBy(() => terminal.keys("Tab"));
        terminal.keys("Enter");
        await terminal.shows(`read-${index}-well`);
        expect(readdirSync(terminal.cwd).filter((file) => file.startsWith("pwned"))).toEqual([]);
      }
    });

    it("C-01 what was typed is not run, and failures are not shown", async () => {
      const terminal = await Shell.start(start, setup);
      mkdirSync(join(terminal.home, ".config/skillwright"), { recursive: true });
      writeFileSync(join(terminal.home, ".config/skillwright/config.json"), "{ broken");
      terminal.type("skillwright inspect '$(touch pwned-4)' \"`touch pwned-5");
      terminal.keys("Tab");
      await setTimeout(1500);
      terminal.keys("C-c");
      await setTimeout(300);
      terminal.type("skillwright inspect pdf");
      terminal.keys("Tab");
      await setTimeout(1500);
      const screen = terminal.screen();
      expect(screen).not.toMatch(/error|warning|broken|Unexpected/i);
      expect(existsSync(join(terminal.cwd, "pwned-4"))).toBe(false);
      expect(existsSync(join(terminal.cwd, "pwned-5"))).toBe(false);
    });
  });
}

describe("the scripts of completion", () => {
  it.for(["bash", "zsh", "fish"])("C-01 the one of %s has no error of form", (shell, { skip }) => {
    const folder = temporaryFolder({ script: built(["completion", shell]).stdout });
    const { status, error } = spawnSync(shell, ["-n", join(folder, "script")]);
    skip(error !== undefined, `there is no ${shell}`);
    expect(status).toBe(0);
  });

  it("C-01 sourced twice, and under strict settings, the one of bash says nothing", () => {
    const script = built(["completion", "bash"]).stdout;
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["--norc", "-c", `set -eu\n${script}\n${script}`],
      { encoding: "utf8" },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("C-01 completing loads no more than it needs, and others do not load it", () => {
    const loaded = (...args: string[]) => {
      const script = `process.on("exit", () => console.error("\\n" + Object.keys(require.cache).join()));
        process.argv.splice(1, 0, ${JSON.stringify(BIN)}); require(${JSON.stringify(BIN)})`;
      const cwd = temporaryFolder({ ".agent/skills/a/SKILL.md": skillText("a") });
      const { stderr } = spawnSync(process.execPath, ["-e", script, ...args], {
        cwd,
        encoding: "utf8",
        env: { HOME: temporaryFolder() },
      });
      return stderr;
    };
    expect(loaded("list")).not.toMatch(/complet/);
    expect(loaded("complete", "--", "inspect", "")).toMatch(/complete-command/);
    expect(loaded("complete", "--", "li")).not.toMatch(/session|completion-command/);
  });
});

/** A shell in a terminal of its own, in a project with a skill, a run and a file. */
class Shell {
  readonly cwd = temporaryFolder({
    ".git/HEAD": "",
    ".agent/runs/20261116T103700-abcdef/run.json": "{}",
    "notes.txt": "",
    "skills/pdf-tools/SKILL.md": skillText("pdf-tools"),
  });
  readonly home = temporaryFolder();
  readonly #socket = join(temporaryFolder(), "tmux");

  static async start(command: string, setup: string): Promise<Shell> {
    const shell = new Shell();
    const programs = temporaryFolder({
      skillwright: `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`,
    });
    chmodSync(join(programs, "skillwright"), 0o755);
    const env = {
      PATH: `${programs}:${process.env["PATH"] ?? ""}`,
      HOME: shell.home,
      TERM: "xterm",
      LANG: "C.UTF-8",
    };
    const size = ["-x", "120", "-y", "50"];
    const started = spawnSync(
      "tmux",
      ["-S", shell.#socket, "-f", "/dev/null", "new-session", "-d", ...size, command],
      { cwd: shell.cwd, env, encoding: "utf8" },
    );
    onTestFinished(async () => {
      shell.#tmux("kill-server");
      // What was just started may still write into its home.
      await setTimeout(500);
    });
    if (started.status !== 0) throw new Error(started.stderr);
    await setTimeout(500);
    shell.type(`${setup}; clear; echo rea''dy`);
    shell.keys("Enter");
    await shell.shows("ready");
    return shell;
  }

  /** Types a line and a tab, and waits for what stands there then. */
  async completes(typed: string, expected: string): Promise<string> {
    this.keys("C-u");
    this.type(typed);
    this.keys("Tab");
    await this.shows(expected.trimEnd());
    if (expected.endsWith(" ")) {
      this.type("END");
      await this.shows(`${expected}END`);
    }
    const screen = this.screen();
    this.keys("C-c");
    await setTimeout(STEP_MS);
    return screen;
  }

  type(text: string): void {
    this.#tmux("send-keys", "-t", ":0", "-l", text);
  }

  keys(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", ":0", ...keys);
  }

  screen(): string {
    return this.#tmux("capture-pane", "-p", "-J", "-t", ":0");
  }

  async shows(text: string): Promise<void> {
    await this.#until((screen) => screen.includes(text), text);
  }

  /** Waits until something else is on the screen than before, and stays. */
  async changesBy(act: () => void): Promise<void> {
    const before = this.screen();
    let last = before;
    act();
    await this.#until((screen) => {
      const isStill = screen === last;
      last = screen;
      return isStill && screen !== before;
    }, "a change");
  }

  async #until(isThere: (screen: string) => boolean, what: string): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
      if (isThere(this.screen())) return;
      await setTimeout(STEP_MS);
    }
    throw new Error(`${what} did not appear:\n${this.screen()}`);
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }
}

function built(args: readonly string[]) {
  return spawnSync(process.execPath, [BIN, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: temporaryFolder() },
  });
}
