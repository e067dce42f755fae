import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const ANSWER = "As the skill says: Start every entry with a verb in the past tense.";

/** Runs an example with no more of the environment than it needs. */
async function run(folder: string, env: Readonly<Record<string, string>> = {}) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [join(EXAMPLES, folder, "main.mjs")], {
    env: { PATH, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  }
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  return { exitCode, output };
}

type Json = Readonly<Record<string, unknown>>;

/** A model's server: loads the skill, then answers with the first step of what it was sent. */
async function serveModel(answer: (request: Json, step: string | undefined) => Json) {
  const requests: Json[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const parsed = JSON.parse(body) as Json;
      requests.push(parsed);
      const { messages } = parsed as { messages: readonly unknown[] };
      const step = /1\. (.+?)\\n/.exec(JSON.stringify(messages.at(-1)))?.[1];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer(parsed, step)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

describe("H-02 examples", () => {
  it("H-02 every folder is run here", () => {
    const folders = readdirSync(EXAMPLES, { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.toSorted()).toEqual([
      "ai-sdk",
      "ai-sdk-scripts",
      "anthropic",
      "first-run",
      "langchain",
      "mcp-ai-sdk",
      "mcp-langchain",
      "openai",
      "skills",
    ]);
  });

  it("N-03 A-01 first-run: the built agent answers with a built-in skill, in the sandbox", () => {
    const home = temporaryFolder({});
    cpSync(join(EXAMPLES, "first-run"), join(home, "project"), { recursive: true });
    const agent = (...args: string[]) =>
      builtCli([...args, "--model", "offline", "--cwd", "project"], home);
    const { status, stdout, stderr } = agent("run", "profile sales.csv", "--yes=run_script");
    expect([status, stderr]).toEqual([0, expect.stringContaining("scripts/profile.mjs (exit 0)")]);
    expect(stdout).toContain("sales.csv: 8 rows, 5 columns");
    expect(stdout).toContain("sum 536.79");
    const waiting = agent("run", "Convert 5 kg to pounds");
    expect([waiting.status, waiting.stdout]).toEqual([3, expect.not.stringContaining("11.02")]);
    const command = /skillwright (runs resume \S+ --approve \S+)/.exec(waiting.stderr)?.[1] ?? "";
    const resumed = agent(...command.split(" "));
    expect([resumed.status, resumed.stdout]).toEqual([0, expect.stringContaining("11.02")]);
  });

  it.each(["ai-sdk", "langchain"])("H-02 D-04 %s follows a skill", async (folder) => {
    expect(await run(folder)).toEqual({
      exitCode: 0,
      output: `load_skill {"skill_name":"release-notes"}\n${ANSWER}\n`,
    });
  });

  it("H-02 P-02 ai-sdk-scripts runs a script after the SDK's approval, in at most 20 lines of a host", async () => {
    const home = temporaryFolder({});
    expect(await run("ai-sdk-scripts", { HOME: home })).toEqual({
      exitCode: 0,
      output: "approve? count.mjs\nIt has 5 words.\n",
    });
    const text = readFileSync(join(EXAMPLES, "ai-sdk-scripts/main.mjs"), "utf8");
    const statements = text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("import ") && !line.includes("scripted"));
    expect(statements.length).toBeLessThanOrEqual(20);
  });

  it("H-02 D-04 openai follows a skill", async () => {
    const { url, requests } = await serveModel((_, step) => {
      const call = {
        id: "call-1",
        type: "function",
        function: { name: "load_skill", arguments: '{"skill_name":"release-notes"}' },
      };
      const message =
        step === undefined
          ? { role: "assistant", content: null, tool_calls: [call] }
          : { role: "assistant", content: `As the skill says: ${step}` };
      return { id: "1", object: "chat.completion", choices: [{ index: 0, message }] };
    });
    const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none", OPENAI_MODEL: "stub" };
    expect(await run("openai", env)).toEqual({
      exitCode: 0,
      output: `load_skill {"skill_name":"release-notes"}\n${ANSWER}\n`,
    });
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[0])).toContain("<available_skills>");
    expect(JSON.stringify(requests[1])).toContain("<skill_content ");
  });

  it("H-02 D-04 anthropic follows a skill", async () => {
    const { url, requests } = await serveModel((_, step) => ({
      id: "1",
      type: "message",
      role: "assistant",
      content:
        step === undefined
          ? [
              {
                type: "tool_use",
                id: "use-1",
                name: "load_skill",
                input: { skill_name: "release-notes" },
              },
            ]
          : [{ type: "text", text: `As the skill says: ${step}` }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }));
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", ANTHROPIC_MODEL: "stub" };
    expect(await run("anthropic", env)).toEqual({
      exitCode: 0,
      output: `load_skill {"skill_name":"release-notes"}\n${ANSWER}\n`,
    });
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1])).toContain("<skill_content ");
  });
});
