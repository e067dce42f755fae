import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillsClient } from "../conformance/mcp-server-world.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));

const NOTE = `import { appendFileSync } from "node:fs";
appendFileSync("notes.txt", process.argv[2] + "\\n");
`;

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf"),
    "skills/pdf/scripts/note.mjs": NOTE,
  });
  const child = spawn(process.execPath, [BIN, "mcp", "--root", join(folder, "skills"), ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: temporaryFolder(), ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  const ended = once(child, "exit") as Promise<[number | null]>;
  return { folder, child, ended, stdout: () => stdout, stderr: () => stderr };
}

describe("skillwright mcp --http, built", () => {
  it("H-02 C-01 prints address and token, serves who has it, and stops when told", async () => {
    const { child, ended, stderr, stdout } = start(["--http"]);
    await expect.poll(stderr, { timeout: 60_000 }).toContain("Bearer <token>");
    const url = /Serving at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(stderr())?.[1] ?? "";
    const token = /Token, for this time only: (\S{43})/.exec(stderr())?.[1] ?? "";
    const client = skillsClient();
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const { skills } = await new SkillsClient(client).list();
    expect(skills.map(({ uri }) => uri)).toContain("skill://pdf/SKILL.md");
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
    expect(stdout()).toBe("");
    await client.close().catch(() => undefined);
  });

  it("P-06 X-11 H-02 each client is a principal, and what scripts change is held for the user", async () => {
    const token = "my-own-token-of-some-length";
    const home = temporaryFolder();
    const env = { SKILLWRIGHT_MCP_TOKEN: token, HOME: home };
    const { folder, stderr } = start(["--http", "--yes=run_script"], env);
    await expect.poll(stderr, { timeout: 60_000 }).toContain("Bearer <token>");
    const url = new URL(/Serving at (\S+)/.exec(stderr())?.[1] ?? "");
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    // A client that cannot be asked: what its scripts change is held.
    const callNote = async (name: string) => {
      const info = { name, version: "1" };
      const client = new Client(info);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      onTestFinished(() => client.close());
      const args = { skill_name: "pdf", script_file: "note.mjs", args: [name] };
      return client.callTool({ name: "run_skill_script", arguments: args });
    };
    const text = JSON.stringify([await callNote("one"), await callNote("two")]);
    const id = /skillwright runs changes ([\w-]+)/.exec(text)?.[1] ?? "";
    const calls = join(home, ".local/state/skillwright/calls", id);
    const records = readFileSync(join(calls, "audit.jsonl"), "utf8").trim().split("\n");
    const requests = records
      .map((line) => JSON.parse(line) as { event: string; data: { principal?: string } })
      .filter(({ event }) => event === "approval-request");
    expect(requests.map(({ data }) => data.principal)).toEqual(["mcp:one", "mcp:two"]);

    expect(existsSync(join(folder, "notes.txt"))).toBe(false);
    const cli = (...args: string[]) =>
      execFileSync(process.execPath, [BIN, "runs", "changes", id, ...args], {
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: home },
        stdio: "pipe",
      }).toString();
    expect(cli()).toContain('"notes.txt" created, 8 bytes');
    cli("--apply");
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("one\ntwo\n");
  });

  it("H-02 a token of the user's own is not printed", async () => {
    const token = "my-own-token-of-some-length";
    const { child, ended, stderr } = start(["--http"], { SKILLWRIGHT_MCP_TOKEN: token });
    await expect.poll(stderr, { timeout: 60_000 }).toContain("Bearer <token>");
    expect(stderr()).not.toContain(token);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
  });

  it.each([
    [["--http", "--host", "0.0.0.0"], /--allow-remote/],
    [["--http", "--port", "x"], /not a port/],
    [["--http", "--port", "70000"], /not a port/],
    [["--port", "80"], /--http/],
    [["--yes"], /--yes/],
    [["--sandbox", "paper"], /sandbox/],
  ])("H-02 C-01 %j is wrong usage", async (args, reason) => {
    const { ended, stderr, stdout } = start(args);
    expect((await ended)[0]).toBe(2);
    expect(stderr()).toMatch(reason);
    expect(stdout()).toBe("");
  });

  it("H-02 a token that is easily guessed is refused", async () => {
    const { ended, stderr } = start(["--http"], { SKILLWRIGHT_MCP_TOKEN: "short" });
    expect((await ended)[0]).toBe(2);
    expect(stderr()).toContain("SKILLWRIGHT_MCP_TOKEN");
  });
});
