import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isAlive } from "../attack/mcp-host-world.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ANSWER, user } from "./mcp-host-user.ts";

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
    expect(plain).toContain("skillwright trust <name>@mcp:<server>");
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

  it("H-02 C-01 check says in words why a server does not answer, and what to do", () => {
    const others = {
      gone: { command: "no-such-program" },
      lost: { command: process.execPath, cwd: "/no/such/folder" },
      broken: { command: process.execPath, args: ["/no/such/file.js"] },
      refused: { url: "http://127.0.0.1:65431/mcp" },
      off: { command: "never", disabled: true },
    };
    const { cli } = user({ others });
    const { status, stdout, stderr } = cli("mcp", "check");
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^docs +ok/m)]);
    for (const line of [
      /^gone: its program no-such-program is not found\n {2}is it installed/m,
      /^lost: its folder \/no\/such\/folder is not there\n {2}look at its cwd/m,
      /^broken: it ended with exit code 1\n {2}it said last: Error: Cannot find module/m,
      /^refused: nothing listens at 127\.0\.0\.1:65431\n {2}is the server running/m,
      /^Not asked, disabled: off$/m,
    ]) {
      expect(stderr).toMatch(line);
    }
    const { servers } = JSON.parse(cli("mcp", "check", "--json").stdout) as { servers: object[] };
    expect(servers).toContainEqual(
      expect.objectContaining({
        label: "gone",
        ok: false,
        failure: expect.objectContaining({ code: "server-unreachable" }) as object,
      }),
    );
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
    await expect.poll(pid, { timeout: 60_000 }).toBeGreaterThan(0);
    child.kill("SIGHUP");
    expect(await ended).toEqual([null, "SIGHUP"]);
    await expect.poll(() => isAlive(pid())).toBe(false);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "X-05 C-01 %s while a server is asked leaves none of it behind",
    async (signal) => {
      const { home, lines } = user({ mode: "stubborn", silent: ["skills/list"] });
      const ids = () =>
        lines().flatMap((line) => /^(?:started|grandchild) (\d+)$/.exec(line)?.[1] ?? []);
      const { PATH } = process.env;
      const options = { cwd: home, env: { PATH, HOME: home }, stdio: "ignore" } as const;
      const child = spawn(process.execPath, [BIN, "read", "pdf-merge@mcp:docs"], options);
      const ended = once(child, "exit");
      await expect.poll(() => ids().length, { timeout: 60_000 }).toBe(2);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      await expect.poll(() => ids().filter((id) => isAlive(Number(id)))).toEqual([]);
    },
  );

  it("X-05 C-01 a run that is ended during a call leaves no server behind", async () => {
    const configuration = { policy: { allow: ["mcp__docs__*"] } };
    const actions = [SEARCH, ANSWER];
    const silent = ["tools/call"];
    const { home, lines } = user({ mode: "stubborn", silent, actions, configuration });
    const ids = () =>
      lines().flatMap((line) => /^(?:started|grandchild) (\d+)$/.exec(line)?.[1] ?? []);
    const { PATH } = process.env;
    const options = { cwd: home, env: { PATH, HOME: home }, stdio: "ignore" } as const;
    const model = `mock:${join(home, "actions.json")}`;
    const args = [BIN, "run", "go", "--model", model, "--sandbox", "none", "--cwd", "project"];
    const child = spawn(process.execPath, args, options);
    const ended = once(child, "exit");
    await expect.poll(() => lines().includes("asked tools/call"), { timeout: 60_000 }).toBe(true);
    child.kill("SIGTERM");
    expect(await ended).toEqual([130, null]);
    await expect.poll(() => ids().filter((id) => isAlive(Number(id)))).toEqual([]);
  });

  it("C-02 one server that is written wrongly takes no other with it", () => {
    const others = { wrong: { command: 7 }, empty: {} };
    const { status, stdout } = user({ others }).cli("list");
    expect([status, stdout]).toEqual([0, expect.stringContaining("mcp:docs")]);
  });
});
