import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chmodSync, cpSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const ANSWER = "As the skill says: Start every entry with a verb in the past tense.";

/** Runs an example with no more of the environment than it needs, and answers what it asks. */
async function run(folder: string, env: Readonly<Record<string, string>> = {}, answer = "") {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [join(EXAMPLES, folder, "main.mjs")], {
    env: { PATH, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.endsWith("[y/N] ")) child.stdin.write(`${answer}\n`);
    });
  }
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  return { exitCode, output };
}

const COUNT = {
  skill_name: "word-count",
  script_file: "count.mjs",
  args: ["the export button works again"],
};

/** Notes its arguments, and runs the command of a container beside the test. */
const DOCKER = `#!/usr/bin/env node
const args = process.argv.slice(2);
require("node:fs").appendFileSync(process.env.HOME + "/docker.log", JSON.stringify(args) + "\\n");
if (args[0] === "run") {
  const [, source] = /src=([^,]+)/.exec(args.join(" "));
  const [program, ...rest] = args.slice(args.indexOf("node:22-alpine") + 1);
  const inside = rest.map((argument) => argument.replace(/^\\/skill/, source));
  require("node:child_process").spawnSync(program, inside, { stdio: "inherit" });
}
`;

type Json = Readonly<Record<string, unknown>>;

/** How many lines a host needs: those of the server where there is one, without the scripted model. */
function hostLines(folder: string): number {
  const files = readdirSync(join(EXAMPLES, folder)).filter((name) => name.endsWith(".mjs"));
  const main = files.includes("server.mjs") ? "server.mjs" : "main.mjs";
  const own = files.filter((name) => name === main || /executor|gateway/.test(name));
  const text = own.map((name) => readFileSync(join(EXAMPLES, folder, name), "utf8")).join("\n");
  const statements = text.replaceAll(/^import [^;]*;$/gm, "");
  return statements.split("\n").filter((line) => !/^\s*(?:$|\/\/|\/?\*)|scripted/i.test(line))
    .length;
}

/** A model's server; `step` is the first step of the skill, once it was sent. */
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
      "anthropic-scripts",
      "custom-parts",
      "first-run",
      "langchain",
      "langgraph",
      "library",
      "mcp-ai-sdk",
      "mcp-langchain",
      "openai",
      "openai-scripts",
      "skills",
      "sse",
      "web-server",
    ]);
  });

  it("H-02 the table of examples has the lines of each host", () => {
    const table = readFileSync(join(EXAMPLES, "README.md"), "utf8");
    const rows = [...table.matchAll(/^\| `(.+?)\/` \| .*? \| (\d+) \|/gm)];
    expect(rows).toHaveLength(14);
    expect(rows.map(([, folder, lines]) => `${folder} ${lines}`)).toEqual(
      rows.map(([, folder]) => `${folder} ${hostLines(folder!)}`),
    );
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

  it("H-01 library: catalog, tools, search and activation", async () => {
    const { exitCode, output } = await run("library");
    expect(exitCode).toBe(0);
    expect(output).toMatch(/tools +load_skill.*\nbest fit +word-count\nactivation +sha256:/);
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
    expect(hostLines("ai-sdk-scripts")).toBeLessThanOrEqual(20);
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

  it("H-02 P-02 langgraph stops at interrupt() and runs the script once the graph is resumed", async () => {
    expect(await run("langgraph", { HOME: temporaryFolder({}) })).toEqual({
      exitCode: 0,
      output: "Run scripts/count.mjs of word-count?\nIt has 5 words.\n",
    });
  });

  it.each([
    ["y", "5"],
    ["n", "was not approved"],
  ])("H-02 P-02 openai-scripts asks in the terminal; %s", async (answer, result) => {
    const { url, requests } = await serveModel(({ messages }) => {
      const last = (messages as readonly Json[]).at(-1);
      const call = {
        id: "call-1",
        type: "function",
        function: { name: "run_skill_script", arguments: JSON.stringify(COUNT) },
      };
      const message =
        last?.["role"] === "tool"
          ? { role: "assistant", content: `Result: ${String(last["content"])}` }
          : { role: "assistant", content: null, tool_calls: [call] };
      return { id: "1", object: "chat.completion", choices: [{ index: 0, message }] };
    });
    const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none", OPENAI_MODEL: "stub" };
    const { exitCode, output } = await run(
      "openai-scripts",
      { ...env, HOME: temporaryFolder({}) },
      answer,
    );
    const asked = '"args":["the export button works again"],"script_file":"scripts/count.mjs"';
    expect([exitCode, output]).toEqual([0, expect.stringMatching(`Result: .*${result}`)]);
    expect(output).toContain(`Allow run_script {${asked},`);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ["y", "5"],
    ["n", "The user declined this call."],
  ])("H-02 P-02 anthropic-scripts resumes a call with its request; %s", async (answer, result) => {
    const { url, requests } = await serveModel(({ messages }) => {
      const { content } = (messages as readonly Json[]).at(-1) ?? {};
      const [block] = (typeof content === "string" ? [] : content) as readonly Json[];
      const use = { type: "tool_use", id: "use-1", name: "run_skill_script", input: COUNT };
      return {
        id: "1",
        type: "message",
        role: "assistant",
        content: [block ? { type: "text", text: `Result: ${String(block["content"])}` } : use],
        usage: { input_tokens: 1, output_tokens: 1 },
      };
    });
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", ANTHROPIC_MODEL: "stub" };
    const { exitCode, output } = await run(
      "anthropic-scripts",
      { ...env, HOME: temporaryFolder({}) },
      answer,
    );
    const asked = "Allow run_script word-count scripts/count.mjs? [y/N] ";
    expect([exitCode, output.trim()]).toEqual([0, `${asked}Result: ${result}`]);
    expect(requests).toHaveLength(2);
  });

  it("H-02 D-12 web-server: each user has a conversation of their own that goes on", async () => {
    const { exitCode, output } = await run("web-server");
    const followed = `200 ${JSON.stringify({ text: ANSWER, active: ["release-notes"] })}`;
    expect([exitCode, output.trim().split("\n")]).toEqual([
      0,
      [
        followed,
        followed,
        followed,
        '200 {"text":"I have no such skill.","active":[]}',
        '401 {"error":"unknown user"}',
      ],
    ]);
  });

  it("H-02 A-01 sse streams the text of an answer, and which skills are used", async () => {
    const { exitCode, output } = await run("sse");
    const lines = output.trim().split("\n");
    const texts = lines.filter((line) => line.startsWith("text "));
    expect([exitCode, lines[0]]).toEqual([0, 'skill "release-notes"']);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.map((line): unknown => JSON.parse(line.slice("text ".length))).join("")).toBe(
      ANSWER,
    );
    expect(lines.at(-1)).toBe(`end ${JSON.stringify({ status: "answered", answer: ANSWER })}`);
  });

  it("H-02 P-06 custom-parts: a skill of a database runs in a container, and a table has the record", async () => {
    const home = temporaryFolder({ "bin/docker": DOCKER });
    chmodSync(join(home, "bin/docker"), 0o755);
    const path = `${join(home, "bin")}${delimiter}${process.env["PATH"] ?? ""}`;
    expect(await run("custom-parts", { HOME: home, PATH: path })).toEqual({
      exitCode: 0,
      output: "It has 4 words.\napproval-request\napproval-decision\nscript-start\nscript-end\n",
    });
    const calls = readFileSync(join(home, "docker.log"), "utf8").trim().split("\n");
    const args = JSON.parse(calls.at(-1) ?? "") as string[];
    expect(args.slice(args.indexOf("node:22-alpine"))).toEqual([
      "node:22-alpine",
      "node",
      "/skill/scripts/count.mjs",
      "the export button works",
    ]);
    expect(args).toEqual(expect.arrayContaining(["--network=none", "--read-only"]));
  });
});
