import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ROOT } from "./setup.mjs";

const PATIENCE_MS = 60_000;
const STEP_MS = 100;
const PROMPT = "$ ";

/**
 * Types commands into a real terminal (tmux) with the files of the tour, one after the other, and
 * gives what is on its screen then: lines with escape sequences for colours.
 */
export async function recordTerminal(commands, { columns = 80, rows = 60, files = {} } = {}) {
  const home = mkdtempSync(join(tmpdir(), "skillwright-record-"));
  const socket = join(home, "tmux");
  const tmux = (...args) => {
    const { status, stdout, stderr } = spawnSync("tmux", ["-S", socket, ...args], {
      encoding: "utf8",
      env: environment(home),
      cwd: join(home, "project"),
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  try {
    cpSync(join(ROOT, "examples/first-run"), join(home, "project"), { recursive: true });
    for (const [path, from] of Object.entries(files)) {
      cpSync(join(ROOT, from), join(home, "project", path), { recursive: true });
    }
    makeCommand(join(home, "bin"));
    const size = ["-x", String(columns), "-y", String(rows)];
    const shell = ["bash", "--norc", "--noprofile", "-i"];
    tmux("-f", "/dev/null", "new-session", "-d", ...size, ...shell);
    const screen = (...more) => tmux("capture-pane", "-p", ...more, "-S", "-", "-t", ":0");
    let prompts = 1;
    for (const command of commands) {
      // What answers a question comes with the text that asks it.
      const { question, text } = typeof command === "string" ? { text: command } : command;
      await until(
        () => (question ? screen().includes(question) : promptsOf(screen()) === prompts),
        screen,
      );
      tmux("send-keys", "-t", ":0", "-l", text);
      tmux("send-keys", "-t", ":0", "Enter");
      if (question === undefined) prompts++;
    }
    await until(() => promptsOf(screen()) === prompts, screen);
    const lines = screen("-e").trimEnd().split("\n");
    // The last one waits for a command that does not come.
    return lines.slice(0, -1);
  } finally {
    spawnSync("tmux", ["-S", socket, "kill-server"]);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Nothing of whoever records it: no key of a model, no settings. */
function environment(home) {
  return {
    PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
    HOME: home,
    TERM: "xterm-256color",
    COLORTERM: "",
    LANG: "C.UTF-8",
    PS1: PROMPT,
    // A shell that is ended would write there while the folder goes away.
    HISTFILE: "",
    SKILLWRIGHT_MODEL__PROVIDER: "offline",
  };
}

/** `skillwright` as it is built now. */
function makeCommand(folder) {
  const bin = join(ROOT, "packages/cli/bin/skillwright.cjs");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "skillwright"),
    `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
  );
  chmodSync(join(folder, "skillwright"), 0o755);
}

function promptsOf(text) {
  return text.split("\n").filter((line) => line.startsWith(PROMPT) || line === PROMPT.trim())
    .length;
}

async function until(isReached, screen) {
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    if (isReached()) return;
    await setTimeout(STEP_MS);
  }
  throw new Error(`the terminal did not come to its end:\n${screen()}`);
}
