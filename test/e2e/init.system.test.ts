import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));

const UP = "\u001B[A";
const DOWN = "\u001B[B";
const RETURN = "\r";
const CONTROL_C = "\u0003";

/** The one of util-linux, which runs a command in a terminal of its own. */
const hasScript = spawnSync("script", ["--version"]).status === 0;

describe("skillwright init, built", () => {
  it("C-01 what it says to type next works", () => {
    const cwd = temporaryFolder({ "project/.git/HEAD": "" });
    const { status, stdout } = builtCli(["init", "project", "--json"], cwd);
    expect(status).toBe(0);
    const { next } = JSON.parse(stdout) as { readonly next: readonly string[] };
    expect(next).toHaveLength(3);
    for (const line of next) {
      const run = builtCli(line.split(" ").slice(1), cwd);
      expect({ line, status: run.status }).toEqual({ line, status: 0 });
    }
    expect(existsSync(join(cwd, "project/.agent/skills/my-skill/SKILL.md"))).toBe(true);
  });

  it("C-01 E-03 its workflow is green from the start, and red while a new skill has placeholders", () => {
    const cwd = temporaryFolder({ ".git/HEAD": "" });
    expect(builtCli(["init", "--ci", "github", "--yes"], cwd).status).toBe(0);
    const workflow = readFileSync(join(cwd, ".github/workflows/skills.yml"), "utf8");
    const lines = Array.from(
      workflow.matchAll(/(?<!lock\.json'\) != ''\s+)run: skillwright (.*)/g),
      ([, line = ""]) => line.split(" "),
    );
    expect(lines.map(([name]) => name)).toEqual(["lint", "scan", "eval"]);
    for (const line of lines) {
      const { status, stdout, stderr } = builtCli(line, cwd);
      expect({ line, status, said: status === 0 ? "" : stdout + stderr }).toEqual({
        line,
        status: 0,
        said: "",
      });
    }
    expect(builtCli(["new", "release-notes"], cwd).status).toBe(0);
    expect(builtCli(lines[0]!, cwd).status).toBe(1);
  });

  it("C-01 without a terminal it asks nothing", () => {
    const cwd = temporaryFolder({ ".git/HEAD": "" });
    const { status, stdout, stderr } = builtCli(["init"], cwd);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Created  .agent/config.json");
  });
});

describe.skipIf(!hasScript)("init in a terminal (skipped without util-linux's script)", () => {
  /** Answers each question as it comes. */
  async function ask(args: string, answers: Readonly<Record<string, string>>) {
    const cwd = temporaryFolder({ ".git/HEAD": "" });
    const command = `stty cols 100 rows 40; exec ${process.execPath} ${BIN} init ${args}`;
    const child = spawn(
      "script",
      ["--quiet", "--flush", "--return", "--command", command, "/dev/null"],
      {
        cwd,
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: temporaryFolder(),
          TERM: "xterm",
          SHELL: "/bin/sh",
        },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    let screen = "";
    const open = new Map(Object.entries(answers));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      screen += text;
      for (const [question, keys] of open) {
        if (!screen.includes(question)) continue;
        open.delete(question);
        child.stdin.write(keys);
      }
    });
    const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const isWritten = existsSync(join(cwd, ".agent/config.json"));
    const hasWorkflow = existsSync(join(cwd, ".github/workflows/skills.yml"));
    return { cwd, screen, exitCode, isWritten, hasWorkflow };
  }

  it("C-01 shows what it will write, and return writes it without a workflow", async () => {
    const { screen, ...rest } = await ask("", {
      "Check skills in CI?": RETURN,
      "Write these files?": RETURN,
    });
    expect(rest).toMatchObject({ exitCode: 0, isWritten: true, hasWorkflow: false });
    expect(screen.indexOf("Create   .agent/config.json")).toBeLessThan(
      screen.indexOf("Write these files?"),
    );
    expect(screen).not.toContain("runs-on");
  });

  it("C-01 writes a workflow for whoever chooses one", async () => {
    const { cwd, hasWorkflow } = await ask("", {
      "Check skills in CI?": UP + RETURN,
      "Write these files?": RETURN,
    });
    expect(hasWorkflow).toBe(true);
    const text = readFileSync(join(cwd, ".github/workflows/skills.yml"), "utf8");
    expect(text).toContain("lint --strict");
  });

  it("C-01 no, and control-C at either question, write nothing", async () => {
    const none = { exitCode: 130, isWritten: false, hasWorkflow: false };
    expect(await ask("", { "Check skills in CI?": CONTROL_C })).toMatchObject(none);
    const no = { "Check skills in CI?": RETURN, "Write these files?": DOWN + RETURN };
    expect(await ask("", no)).toMatchObject(none);
    const away = { "Check skills in CI?": RETURN, "Write these files?": CONTROL_C };
    expect(await ask("", away)).toMatchObject(none);
  });

  it("C-01 --yes asks nothing, and --ci only whether to write", async () => {
    const { screen, isWritten } = await ask("--yes", {});
    expect(isWritten).toBe(true);
    expect(screen).not.toContain("Write these files?");
    const chosen = await ask("--ci github", { "Write these files?": RETURN });
    expect(chosen).toMatchObject({ exitCode: 0, hasWorkflow: true });
    expect(chosen.screen).not.toContain("Check skills in CI?");
  });
});
