import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A project with one skill that declares these tools, and a user with this configuration. */
function project(allowedTools: string | undefined, configuration: object = {}) {
  const declared = allowedTools === undefined ? "" : `allowed-tools: ${allowedTools}\n`;
  const folder = temporaryFolder({
    "p/.agent/skills/pdf/SKILL.md": skillText("pdf", undefined, declared),
    "p/.agent/skills/pdf/scripts/act.py": "print('acted')\n",
    "p/a.txt": "one\n",
    "config.json": JSON.stringify(configuration),
  });
  const cwd = join(folder, "p");
  const env = { HOME: join(folder, "home"), PATH: "/usr/bin:/bin" };
  const call = (preset: string, tool: string, input: object, ...flags: string[]) => {
    const start = ["tools", "call", tool, "--preset", preset, "--trust"];
    const end = ["--input", JSON.stringify(input), "--config", join(folder, "config.json")];
    return runCli([...start, ...flags, ...end], { cwd, env });
  };
  const script = { skill_name: "pdf", script_file: "act.py", args: [] };
  return {
    cwd,
    call,
    act: (...flags: string[]) => call("scripts", "run_skill_script", script, ...flags),
  };
}

describe("a tool that a skill does not declare cannot be called for it", () => {
  it.each(["Read", "Read, Grep", "Bash(git:*)", "Write"])(
    "P-01 X-01 %s does not cover its script, approved or not",
    async (tools) => {
      const { act } = project(tools);
      for (const flags of [[], ["--yes=run_script"]]) {
        const { exitCode, stdout } = await act(...flags);
        expect(exitCode).toBe(1);
        expect(stdout).toContain("not allowed");
        expect(stdout).not.toContain("acted");
      }
    },
  );

  it.each([undefined, "Bash", "Bash(python3:*)", "run_script"])(
    "P-01 %s does, and it still takes an approval",
    async (tools) => {
      const { act } = project(tools);
      const asked = await act();
      expect(asked.exitCode).toBe(3);
      expect(asked.stdout).not.toContain("acted");
      const approved = await act("--yes=run_script");
      expect(approved).toMatchObject({ exitCode: 0, stdout: "acted\n" });
    },
  );
});

describe("a tool of high risk takes an approval", () => {
  const ON = {
    workspace: { enableRunCommand: true },
    policy: { enableDeleteFile: true, enableNetworkRequest: true },
  };
  const CALLS: readonly (readonly [string, object])[] = [
    ["write_file", { path: "new.txt", content: "x" }],
    ["delete_file", { path: "a.txt" }],
    ["run_command", { command: "touch new.txt" }],
    ["network_request", { url: "https://example.com/" }],
  ];

  it.each(CALLS)("P-02 X-10 %s: nobody is there, so nothing is done", async (tool, input) => {
    const { cwd, call } = project(undefined, ON);
    for (const flags of [[], ["--yes=run_script"]]) {
      const { exitCode } = await call("autobot", tool, input, ...flags);
      expect(exitCode).toBe(3);
    }
    expect(readdirSync(cwd).sort()).toEqual([".agent", "a.txt"]);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  });

  it.each(CALLS.slice(1))("P-02 X-10 %s is not even offered by default", async (tool, input) => {
    const { cwd, call } = project(undefined);
    const { exitCode, stderr } = await call("autobot", tool, input, `--yes=${tool}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`there is no tool "${tool}"`);
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    expect(existsSync(join(cwd, "a.txt"))).toBe(true);
  });

  it("P-02 a bare --yes is no approval", async () => {
    const { cwd, call } = project(undefined);
    const { exitCode } = await call("autobot", "write_file", CALLS[0]![1], "--yes");
    expect(exitCode).toBe(2);
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
  });
});
