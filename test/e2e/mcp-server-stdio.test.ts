import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { SKILLS_EXTENSION_ID, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText, writeTree } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));

function place(scripts: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/.agent/skills/pdf/SKILL.md": skillText("pdf", "Joins PDF files. Use to join them."),
    "project/.agent/skills/pdf/scripts/join.mjs": "console.log('joined', process.argv[2]);\n",
    ...scripts,
  });
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home") };
  return { folder, cwd: join(folder, "project"), env };
}

const command = (...args: string[]) => ({
  command: process.execPath,
  args: [BIN, "mcp", "--trust", ...args],
});

type Place = ReturnType<typeof place>;

/** The server by hand: what it prints is all that is looked at. */
function start({ cwd, env }: Place, ...args: string[]) {
  const child = spawn(process.execPath, [BIN, "mcp", ...args], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as Message;
  const say = (message: unknown) =>
    child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  return { child, next, say, stderr: () => stderr };
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly code: number };
  readonly result?: Readonly<Record<string, unknown>>;
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "by hand", version: "1" },
  },
};

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const exitOf = async (child: ChildProcessWithoutNullStreams) =>
  ((await once(child, "exit")) as [number | null])[0];

describe("skillwright mcp, built", () => {
  it.each([
    ["disable", ["disable", "pdf"]],
    ["untrust", ["untrust"]],
  ])("R-12 H-02 %s takes a skill from a server that runs, at the next request", async (_, args) => {
    const here = place();
    const cli = (...words: readonly string[]) =>
      execFileSync(process.execPath, [BIN, ...words], { ...here, stdio: "pipe" });
    cli("trust");
    const { say, next } = start(here);
    const heard: string[] = [];
    /** The answer to a request; what else is said is kept. */
    const ask = async (id: number, method: string, params: object = {}): Promise<Message> => {
      say({ jsonrpc: "2.0", id, method, params });
      for (;;) {
        const message = await next();
        if (message.id === id) return message;
        heard.push(message.method ?? "");
      }
    };
    say(INITIALIZE);
    expect(await next()).toMatchObject({ id: 1 });
    say({ jsonrpc: "2.0", method: "notifications/initialized" });
    const uri = "skill://pdf/SKILL.md";
    expect((await ask(2, "resources/read", { uri })).result).toBeDefined();
    cli(...args);
    expect(JSON.stringify((await ask(3, "skills/list")).result)).not.toContain(uri);
    expect((await ask(4, "resources/read", { uri })).error).toBeDefined();
    expect((await ask(5, "prompts/get", { name: "pdf" })).error).toBeDefined();
    expect(heard).toContain("notifications/resources/list_changed");
    cli(args[0] === "untrust" ? "trust" : "enable", ...args.slice(1));
    expect((await ask(6, "resources/read", { uri })).result).toBeDefined();
  });

  it("R-12 H-02 what cannot be read trusts nothing", async () => {
    const here = place();
    execFileSync(process.execPath, [BIN, "trust"], { ...here, stdio: "pipe" });
    const { say, next } = start(here, "--no-scripts");
    say(INITIALIZE);
    await next();
    writeTree(here.folder, { "home/.local/state/skillwright/trust.json": "{ broken" });
    say({ jsonrpc: "2.0", id: 2, method: "skills/list", params: {} });
    let answer = await next();
    while (answer.id !== 2) answer = await next();
    expect(answer.result).toMatchObject({ skills: [] });
  });

  it.each(["legacy", "auto"] as const)("H-02 C-01 serves the 2.4 client (%s)", async (mode) => {
    const { cwd, env } = place();
    const client = new Client(
      { name: "new", version: "1" },
      {
        capabilities: { extensions: { [SKILLS_EXTENSION_ID]: {} } },
        versionNegotiation: { mode },
      },
    );
    await client.connect(new StdioClientTransport({ ...command(), cwd, env, stderr: "ignore" }));
    onTestFinished(() => client.close());
    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toContain("pdf");
    for (const entry of entries) expect((await skills.read(entry)).verified).toBe(true);
    expect((await client.listTools()).tools).toEqual([]);
  });

  it("H-02 C-01 serves the 1.x client with tools, and runs what --yes names", async () => {
    const { cwd, env } = place();
    const client = new OldClient({ name: "old", version: "1" });
    const given = command("--yes=run_script", "--sandbox", "none");
    await client.connect(new OldStdio({ ...given, cwd, env, stderr: "ignore" }));
    onTestFinished(() => client.close());
    const result = await client.callTool({
      name: "run_skill_script",
      arguments: { skill_name: "pdf", script_file: "join.mjs", args: ["a"] },
    });
    expect(JSON.stringify(result.structuredContent)).toContain("joined a");
  });

  it("R-09 H-02 tells a client of a new skill", async () => {
    const { cwd, env } = place();
    let tell: () => void;
    const told = new Promise<void>((resolve) => (tell = resolve));
    const client = new Client({ name: "new", version: "1" });
    client.setNotificationHandler("notifications/resources/list_changed", () => tell());
    await client.connect(new StdioClientTransport({ ...command(), cwd, env, stderr: "ignore" }));
    onTestFinished(() => client.close());
    const writing = setInterval(() => {
      writeTree(cwd, {
        ".agent/skills/zip/SKILL.md": skillText("zip", `Zips ${Date.now()}. Use it.`),
      });
    }, 500);
    await told.finally(() => clearInterval(writing));
    await expect
      .poll(async () => (await client.listResources()).resources.map(({ name }) => name))
      .toContain("zip");
  });

  it("H-02 P-03 keeps a record of what was read", async () => {
    const world = place();
    const { child, say, next } = start(world, "--trust");
    say(INITIALIZE);
    await next();
    const params = { uri: "skill://pdf/SKILL.md" };
    say({ jsonrpc: "2.0", id: 2, method: "resources/read", params });
    expect(JSON.stringify(await next())).toContain("Goal of pdf");
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
    const calls = join(world.env.HOME, ".local/state/skillwright/calls");
    const [run = ""] = readdirSync(calls);
    const record = readFileSync(join(calls, run, "audit.jsonl"), "utf8");
    expect(record).toMatch(/"event":"file-read".*"skill":"pdf".*"client":"by hand 1"/);
  });

  it("R-12 H-02 an untrusted project is served without its skills, and asks nobody", async () => {
    const { child, say, next, stderr } = start(place());
    say(INITIALIZE);
    await next();
    say({ jsonrpc: "2.0", id: 2, method: "skills/list", params: {} });
    expect(JSON.stringify(await next())).not.toContain("skill://pdf/");
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
    expect(stderr()).toContain("skillwright trust");
  });

  it("H-02 lines that are no messages, or too long, or too early, do not end it", async () => {
    const { child, say, next } = start(place(), "--trust");
    say({ jsonrpc: "2.0", id: 0, method: "tools/list" });
    expect(await next()).toMatchObject({ id: 0, error: { code: -32_600 } });
    say("nonsense");
    say("{");
    say("");
    say('{"jsonrpc":"2.0"}');
    say(`{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"${"x".repeat(9 * 1024 * 1024)}"}}`);
    say(INITIALIZE);
    const answers = [await next(), await next()];
    expect(answers).toContainEqual(expect.objectContaining({ id: null }));
    expect(answers).toContainEqual(expect.objectContaining({ id: 1 }));
    say({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(await next()).toMatchObject({ id: 2, result: { tools: expect.any(Array) as unknown } });
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
  });

  it("X-05 H-02 when the client goes away, a script that runs ends, too", async () => {
    const world = place({
      "project/.agent/skills/pdf/scripts/wait.mjs":
        "import fs from 'node:fs'; fs.writeFileSync(process.argv[2], `${process.pid}`); setInterval(() => {}, 1000);\n",
    });
    const file = join(world.folder, "pid");
    const { child, say, next } = start(world, "--trust", "--yes=run_script", "--sandbox", "none");
    say(INITIALIZE);
    await next();
    say({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: {
        name: "run_skill_script",
        arguments: { skill_name: "pdf", script_file: "wait.mjs", args: [file] },
        _meta: { progressToken: 1 },
      },
    });
    expect(await next()).toMatchObject({ method: "notifications/progress" });
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toMatch(/^\d+$/);
    const pid = Number(readFileSync(file, "utf8"));
    expect(isRunning(pid)).toBe(true);
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
