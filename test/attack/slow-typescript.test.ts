import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createBubblewrapExecutor, createProcessExecutor } from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const TIMEOUT_SECONDS = 4;
/** What a hanging command gets before it is killed. */
const PATIENCE_MS = 45_000;

/** Each repetition doubles the time that the transpiler takes; 40 are more than anyone has. */
const slowTypeScript = (repetitions: number) => `${"b ? (c) : d => ".repeat(repetitions)}1;\n`;

function world() {
  const folder = temporaryFolder({
    "home/config.json": JSON.stringify({ workspace: { commandTimeoutSeconds: TIMEOUT_SECONDS } }),
    "work/skills/slow/SKILL.md": skillText("slow"),
    "work/skills/slow/scripts/a.ts": slowTypeScript(40),
    "work/skills/fine/SKILL.md": skillText("fine"),
    "work/skills/fine/scripts/a.ts":
      'import { word } from "./word.ts";\nconst text: string = word;\nconsole.log(text);\n',
    "work/skills/fine/scripts/word.ts": 'export const word: string = "transpiled";\n',
    "work/mock.json": JSON.stringify({
      actions: [
        { action: "select_skills", skills: [{ name: "slow" }] },
        { action: "run_script", skill: { name: "slow" }, relative_path: "scripts/a.ts", args: [] },
        { action: "final_answer", answer: "went on" },
      ],
    }),
  });
  const hurried = ["--config", join(folder, "home/config.json")];
  const [cwd, home] = [join(folder, "work"), join(folder, "home")];
  const start = (args: readonly string[]) => {
    const all = [BIN, ...args, "--root", "skills", "--trust", "--yes=run_script"];
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const child = spawn(process.execPath, all, { cwd, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part: Buffer) => (output += part.toString()));
    }
    return { child, output: () => output };
  };
  /** Null as the exit code of a command that did not end by itself. */
  const run = async (args: readonly string[]) => {
    const { child, output } = start(args);
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    const [code] = (await once(child, "close")) as [number | null];
    clearTimeout(timer);
    return { code, output: output() };
  };
  return { hurried, start, run };
}

const callOf = (skill: string) => JSON.stringify({ skill_name: skill, script_file: "a.ts" });

describe("TypeScript that takes the transpiler for ever", () => {
  it.each([
    ["bubblewrap", createBubblewrapExecutor],
    ["process", createProcessExecutor],
  ])("X-05 ends at the timeout and at a signal, from source, %s", async (_, create) => {
    // Half a minute of work, so that this test ends wherever it is done.
    const path = temporaryFolder({ "scripts/a.ts": slowTypeScript(22) });
    const executor = create();
    const request = { skill: { name: "slow", path }, script: "a.ts", args: [], cwd: "fresh" };
    const timedOut = await executor.run({ ...request, limits: { timeoutMs: 1000 } });
    expect(timedOut).toMatchObject({ ok: false, timedOut: true, exitCode: null, command: [] });
    expect(timedOut.failure?.code).toBe("timed-out");
    const canceled = await executor.run(request, { signal: AbortSignal.timeout(1000) });
    expect(canceled).toMatchObject({ ok: false, canceled: true, exitCode: null, command: [] });
    expect(canceled.failure?.code).toBe("canceled");
  });

  it("X-05 is ended in a run, which goes on", async () => {
    const { run, hurried } = world();
    const { code, output } = await run(["run", "do it", "--model", "mock:mock.json", ...hurried]);
    expect(output).toContain("timed-out");
    expect(output).toContain("went on");
    // Answered, but the script failed and nothing was done after it.
    expect(code).toBe(1);
  });

  it("X-05 is ended in a single call; other TypeScript runs from the bundle", async () => {
    const { run, hurried } = world();
    const call = (skill: string, more: readonly string[] = []) =>
      run(["tools", "call", "run_skill_script", "--input", callOf(skill), ...more]);
    const slow = await call("slow", hurried);
    expect(slow.output).toContain(`was ended after ${TIMEOUT_SECONDS * 1000} milliseconds`);
    expect(slow.code).toBe(1);
    expect(await call("fine")).toMatchObject({
      code: 0,
      output: expect.stringContaining("transpiled"),
    });
  });

  it("X-05 is ended on an MCP server, which answers others meanwhile", async () => {
    const { start, hurried } = world();
    const { child, output } = start(["mcp", "--http", ...hurried]);
    await expect.poll(output).toContain("Bearer <token>");
    const url = /Serving at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(output())?.[1] ?? "";
    const token = /Token, for this time only: (\S{43})/.exec(output())?.[1] ?? "";
    const connect = async () => {
      const client = new Client({ name: "tests", version: "1" });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      onTestFinished(() => client.close().catch(() => undefined));
      return client;
    };
    const [attacker, other] = await Promise.all([connect(), connect()]);
    const input = { skill_name: "slow", script_file: "a.ts" };
    const state = { isOver: false };
    const attack = attacker
      .callTool({ name: "run_skill_script", arguments: input })
      .finally(() => (state.isOver = true));
    let answered = 0;
    while (!state.isOver) {
      const { content } = await other.callTool(
        {
          name: "read_skill_file",
          arguments: { skill_name: "fine", file_path: "scripts/word.ts" },
        },
        { timeout: PATIENCE_MS },
      );
      expect(JSON.stringify(content)).toContain("transpiled");
      if (!state.isOver) answered++;
    }
    expect(answered).toBeGreaterThan(0);
    expect(await attack).toMatchObject({ isError: true });
    expect(JSON.stringify((await attack).content)).toContain("was ended after");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
