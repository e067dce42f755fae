import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isAlive } from "../attack/mcp-host-world.ts";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SERVER = fileURLToPath(new URL("../attack/mcp-host-server.mjs", import.meta.url));
const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const SKILL = { name: "pdf-merge" };
const SELECT = { action: "select_skills", skills: [SKILL] };
const SCRIPT = {
  action: "run_script",
  skill: SKILL,
  relative_path: "scripts/merge.sh",
  args: ["a.pdf"],
};
const SEARCH = { action: "use_tool", tool: "mcp__docs__search", input: { q: "x" } };
const ANSWER = { action: "final_answer", answer: "done" };

interface UserOptions {
  readonly server?: Readonly<Record<string, unknown>>;
  readonly actions?: readonly unknown[];
  readonly others?: Readonly<Record<string, unknown>>;
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly mode?: string;
}

/** A user with one server of their own, and the command line in an empty project. */
function user({ server, actions = [ANSWER], others = {}, configuration, mode }: UserOptions = {}) {
  const home = temporaryFolder({
    "project/README.md": "",
    "actions.json": JSON.stringify({ actions }),
  });
  const log = join(home, "docs.log");
  const told = {
    skills: {
      "pdf-merge": {
        frontmatter: { description: "Merges PDF files.", "allowed-tools": "Bash(*)" },
        files: { "scripts/merge.sh": 'echo "merged $1"\n', "references/a.md": "alpha\n" },
      },
    },
    tools: [{ name: "search", description: "Searches.", inputSchema: { type: "object" } }],
    file: log,
    mode,
  };
  const docs = { command: process.execPath, args: [SERVER, join(home, "docs.json")], ...server };
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(value));
  };
  write("docs.json", told);
  write(".config/skillwright/config.json", { mcpServers: { docs, ...others }, ...configuration });
  const cli = (...args: string[]) => builtCli([...args, "--cwd", "project"], home);
  const run = (...args: string[]) =>
    cli("run", "go", "--model", `mock:${join(home, "actions.json")}`, "--sandbox", "none", ...args);
  const lines = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { home, cli, run, lines, write };
}

describe("skills and tools of MCP servers in the command line", () => {
  it("R-12 H-02 a server's skills are listed with where they are from, and are not trusted", () => {
    const { cli, run, lines } = user({ actions: [SELECT, ANSWER] });
    const { skills } = JSON.parse(cli("list", "--json").stdout) as { skills: object[] };
    expect(skills).toContainEqual(
      expect.objectContaining({ name: "pdf-merge", source: "mcp:docs", trusted: false }),
    );
    const inspected = cli("inspect", "pdf-merge@mcp:docs");
    expect([inspected.status, inspected.stdout]).toEqual([
      0,
      expect.stringContaining("scripts/merge.sh"),
    ]);
    const before = lines().filter((line) => line.startsWith("read")).length;
    const { stderr } = run();
    expect(stderr).toContain("pdf-merge@mcp:docs");
    expect(lines().filter((line) => line.startsWith("read"))).toHaveLength(before);
  });

  it("R-12 list says how a server's skills are trusted, and that some are behind others", () => {
    const { cli, home } = user();
    const plain = cli("list").stderr;
    expect(plain).toContain('"trust": true for the server in mcpServers');
    expect(plain).not.toContain("skillwright trust");
    const skill = "---\nname: pdf-merge\ndescription: Mine. Use when asked.\n---\nDo it.\n";
    mkdirSync(join(home, ".agent/skills/pdf-merge"), { recursive: true });
    writeFileSync(join(home, ".agent/skills/pdf-merge/SKILL.md"), skill);
    const { stderr } = cli("list");
    expect(stderr).toContain("1 skill of MCP servers is hidden behind others of the same name");
    expect(cli("list", "--all").stderr).not.toContain("hidden behind");
  });

  it("X-01 P-02 a script asks for exactly these files, runs from a private copy, and asks again", () => {
    const server = { trust: true };
    const configuration = { policy: { allow: ["run_script"], allowedTools: "ignore" } };
    const { home, cli, run } = user({ server, configuration, actions: [SELECT, SCRIPT, ANSWER] });
    const waiting = run("--yes=run_script");
    expect([waiting.status, waiting.stderr]).toEqual([3, expect.stringContaining("runs resume")]);
    const [, command = ""] =
      /skillwright (runs resume .*--approve \S+.*)/.exec(waiting.stderr) ?? [];
    const done = cli(...command.trim().split(" "), "--json");
    expect(done.status).toBe(0);
    const cache = join(home, ".cache/skillwright/mcp/docs");
    expect(readdirSync(cache)).toHaveLength(1);
    const [digest = ""] = readdirSync(cache);
    expect(readFileSync(join(cache, digest, "scripts/merge.sh"), "utf8")).toContain("merged");
    const { runDir } = JSON.parse(done.stdout) as { runDir: string };
    expect(readFileSync(join(runDir, "events.jsonl"), "utf8")).toContain("merged a.pdf");
  });

  it("P-01 P-02 a tool asks under its name, and is called once it was approved", () => {
    const { cli, run, lines } = user({ actions: [SEARCH, ANSWER] });
    const calls = () => lines().filter((line) => line.startsWith("call"));
    const waiting = run();
    expect([waiting.status, calls()]).toEqual([3, []]);
    const [, command = ""] =
      /skillwright (runs resume .*--approve \S+.*)/.exec(waiting.stderr) ?? [];
    const resumed = cli(...command.trim().split(" "));
    expect([resumed.status, calls()]).toEqual([0, ['call search {"q":"x"}']]);
  });

  it("P-01 a rule of the user allows a server's tools", () => {
    const configuration = { policy: { allow: ["mcp__docs__*"] } };
    const { run, lines } = user({ actions: [SEARCH, ANSWER], configuration });
    expect(run().status).toBe(0);
    expect(lines()).toContain('call search {"q":"x"}');
  });

  it("H-02 a server that is not there takes nothing with it", () => {
    const others = { gone: { command: "no-such-program" }, far: { url: "http://example.com/mcp" } };
    const { cli } = user({ others });
    const listed = cli("list");
    expect([listed.status, listed.stdout]).toEqual([0, expect.stringContaining("mcp:docs")]);
    expect(listed.stderr).toContain("gone");
    expect(listed.stderr).toContain("neither https nor on this machine");
  });

  it("H-02 check says of each server what it has, and ends with what is wrong", () => {
    const { cli } = user();
    const fine = cli("mcp", "check", "--json");
    const { servers } = JSON.parse(fine.stdout) as { servers: object[] };
    expect([fine.status, servers]).toEqual([
      0,
      [
        expect.objectContaining({ label: "(skillwright)", ok: true }),
        expect.objectContaining({ label: "docs", ok: true, skills: 1, tools: 1, trust: false }),
      ],
    ]);
    const { cli: other } = user({ others: { gone: { command: "no-such-program" } } });
    const failed = other("mcp", "check");
    expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining("failed")]);
  });

  it("R-12 a project names no server to start", () => {
    const { home, cli, lines, write } = user();
    const started = join(home, "evil.log");
    const evil = {
      command: process.execPath,
      args: ["-e", `require("fs").writeFileSync(${JSON.stringify(started)}, "")`],
    };
    write("project/.agent/config.json", { mcpServers: { evil } });
    write("project/.mcp.json", { mcpServers: { evil } });
    expect(cli("trust").status).toBe(0);
    expect(cli("list").status).toBe(0);
    expect(existsSync(started)).toBe(false);
    expect(lines()).toHaveLength(1);
  });

  it("H-02 this program as its own server starts no others", () => {
    const others = { self: { command: process.execPath, args: [BIN, "mcp"] } };
    const { cli, lines } = user({ others });
    const { status, stdout } = cli("list");
    expect([status, stdout]).toEqual([0, expect.stringContaining("mcp:docs")]);
    expect(lines().filter((line) => line.startsWith("started"))).toHaveLength(1);
  });

  it("X-05 a server that does not want to end ends with the command, with all that it started", () => {
    const { cli, lines } = user({ mode: "stubborn" });
    expect(cli("list").status).toBe(0);
    const ids = lines().flatMap((line) => /^(?:started|grandchild) (\d+)$/.exec(line)?.[1] ?? []);
    expect(ids).toHaveLength(2);
    expect(ids.filter((id) => isAlive(Number(id)))).toEqual([]);
  });

  it("X-05 C-01 when the terminal is closed, no server is left", async () => {
    // It never answers, and does not notice that nobody talks to it any more.
    const file = join(temporaryFolder(), "server.pid");
    const write = `fs.writeFileSync(${JSON.stringify(file)}, String(process.pid))`;
    const code = `${write}; setInterval(() => {}, 1000)`;
    const { home } = user({ server: { args: ["-e", code] } });
    const pid = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
    const { PATH } = process.env;
    const options = { cwd: home, env: { PATH, HOME: home }, stdio: "ignore" } as const;
    const child = spawn(process.execPath, [BIN, "list"], options);
    const ended = once(child, "exit");
    await expect.poll(pid, { timeout: 10_000 }).toBeGreaterThan(0);
    child.kill("SIGHUP");
    expect(await ended).toEqual([null, "SIGHUP"]);
    await expect.poll(() => isAlive(pid())).toBe(false);
  });

  it("C-02 one server that is written wrongly takes no other with it", () => {
    const others = { wrong: { command: 7 }, empty: {} };
    const { status, stdout } = user({ others }).cli("list");
    expect([status, stdout]).toEqual([0, expect.stringContaining("mcp:docs")]);
  });
});
