import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const PATIENCE_MS = 120_000;
const STEP_MS = 100;

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A terminal of its own in which the built command line runs. */
export class TmuxTerminal {
  readonly #socket = join(temporaryFolder(), "tmux");
  readonly #end = `ended-${randomBytes(4).toString("hex")}`;

  constructor(args: string, { cwd, env, columns = 110, rows = 50 }: TerminalOptions) {
    const command = `"${process.execPath}" "${BIN}" ${args}; echo "${this.#end} $?"; sleep 600`;
    const size = ["-x", String(columns), "-y", String(rows)];
    const session = ["new-session", "-d", ...size, command];
    const started = spawnSync("tmux", ["-u", "-S", this.#socket, "-f", "/dev/null", ...session], {
      cwd,
      env: { TERM: "xterm-256color", ...env },
      encoding: "utf8",
    });
    onTestFinished(() => void this.#tmux("kill-server"));
    if (started.status !== 0) throw new Error(started.stderr);
  }

  keys(...keys: readonly string[]): void {
    this.#tmux("send-keys", "-t", ":0", ...keys);
  }

  /** Only the rows that are to be seen. */
  get visible(): string {
    return this.#tmux("capture-pane", "-p", "-t", ":0");
  }

  /** Closes the window, as a person does who has had enough. */
  close(): void {
    this.#tmux("kill-server");
  }

  get screen(): string {
    return this.#tmux("capture-pane", "-p", "-J", "-S", "-2000", "-t", ":0");
  }

  /** All that was printed, once the text stands there so many times. */
  async shows(text: string, times = 1): Promise<string> {
    for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
      const { screen } = this;
      if (screen.split(text).length > times) return screen;
      await setTimeout(STEP_MS);
    }
    throw new Error(`${text} did not appear ${times} times:\n${this.screen}`);
  }

  async ends(): Promise<{ readonly exitCode: number; readonly screen: string }> {
    const screen = await this.shows(`${this.#end} `);
    return { exitCode: Number(screen.split(`${this.#end} `)[1]?.split("\n")[0]), screen };
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-u", "-S", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }
}
