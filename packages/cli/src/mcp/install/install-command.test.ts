import {
  existsSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  mkdirSync,
  writeFileSync,
  statSync,
  chmodSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { CommandFailure, createConsole } from "../../index.ts";
import { installCommand, type InstallOptions } from "../index.ts";

const PROGRAM = ["/usr/bin/node", "/opt/skillwright.cjs"] as const;

/** A user's home with a project in it. */
function place(files: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder({ "project/.git/HEAD": "", ...files });
  let errors = "";
  const surroundings = {
    stdout: { write: () => true },
    stderr: { write: (text: string) => (errors += text) },
    env: { HOME: home },
    cwd: join(home, "project"),
  };
  const install = (client: string, options: InstallOptions = { yes: true }, args: string[] = []) =>
    installCommand(client, args, options, createConsole(surroundings, options), PROGRAM);
  const read = (path: string) => readFileSync(join(home, path), "utf8");
  return { home, install, read, errors: () => errors };
}

describe("mcp install", () => {
  it("H-02 keeps comments, order and everything else, and a copy of what was there", async () => {
    const before =
      '{\n  // mine\n  "theme": "dark",\n  "mcpServers": {\n    "a": { "command": "b" }\n  }\n}\n';
    const { install, read } = place({ ".claude.json": before });
    expect(await install("claude-code")).toBe(0);
    const after = read(".claude.json");
    expect(after).toContain("// mine");
    expect(after).toContain('"a": { "command": "b" }');
    expect(JSON.parse(after.replace("// mine", ""))).toEqual({
      theme: "dark",
      mcpServers: {
        a: { command: "b" },
        skillwright: { type: "stdio", command: PROGRAM[0], args: [PROGRAM[1], "mcp"] },
      },
    });
    expect(read(".claude.json.backup")).toBe(before);
  });

  it("H-02 writes nothing a second time, and no copy", async () => {
    const { install, home } = place();
    expect([await install("cursor"), await install("cursor")]).toEqual([0, 0]);
    expect(readdirSync(join(home, "project/.cursor"))).toEqual(["mcp.json"]);
  });

  it("H-02 an entry that is there leads to us and keeps its environment, also behind a mark", async () => {
    const before =
      '\uFEFF{ "mcpServers": { "skillwright": { "url": "https://old.example", "headers": { "A": "b" }, "command": "old", "env": { "A": "b" }, "args": [] }, "b": { "url": "x" } } }\n';
    const { install, read } = place({ ".claude.json": before });
    expect(await install("claude-code")).toBe(0);
    const after = read(".claude.json");
    expect(after.startsWith("\uFEFF{")).toBe(true);
    expect(JSON.parse(after.slice(1))).toEqual({
      mcpServers: {
        skillwright: {
          type: "stdio",
          command: PROGRAM[0],
          args: [PROGRAM[1], "mcp"],
          env: { A: "b" },
        },
        b: { url: "x" },
      },
    });
    expect(await install("claude-code")).toBe(0);
    expect(read(".claude.json")).toBe(after);
  });

  it("H-02 a project's file names the program, not where it is on this machine", async () => {
    const { install, read } = place();
    expect(await install("vscode")).toBe(0);
    expect(JSON.parse(read("project/.vscode/mcp.json"))).toEqual({
      servers: { skillwright: { type: "stdio", command: "skillwright", args: ["mcp"] } },
    });
  });

  it("H-02 shows the change and writes nothing without a yes", async () => {
    const { install, home, errors } = place();
    expect(await install("codex", { dryRun: true })).toBe(0);
    expect(await install("codex", {})).toBe(3);
    expect(errors()).toContain("+[mcp_servers.skillwright]");
    expect(existsSync(join(home, ".codex"))).toBe(false);
  });

  it.each([
    ["claude-code", ".claude.json", "{ not json"],
    ["claude-code", ".claude.json", '{ "mcpServers": [] }'],
    ["codex", ".codex/config.toml", '[mcp_servers.skillwright]\ncommand = "mine"\n'],
    ["codex", ".codex/config.toml", "a = 1\na = 2\n"],
    ["codex", ".codex/config.toml", "d = 2024-13-45\n"],
  ])("H-02 %s: what cannot be changed without a loss is not: %s %s", async (client, path, text) => {
    const { install, read } = place({ [path]: text });
    await expect(install(client)).rejects.toMatchObject({
      exitCode: 1,
      hint: expect.stringContaining("skillwright"),
    });
    expect(read(path)).toBe(text);
  });

  it("H-02 follows a link of the user's, and none out of a project", async () => {
    const { home, install, read } = place({ "dotfiles/claude.json": "{}\n" });
    symlinkSync("dotfiles/claude.json", join(home, ".claude.json"));
    expect(await install("claude-code")).toBe(0);
    expect(read("dotfiles/claude.json")).toContain("skillwright");
    mkdirSync(join(home, "project/.cursor"));
    symlinkSync(join(home, "dotfiles/claude.json"), join(home, "project/.cursor/mcp.json"));
    const before = read("dotfiles/claude.json");
    await expect(install("cursor")).rejects.toThrow(/leads out of the project/);
    expect(read("dotfiles/claude.json")).toBe(before);
  });

  it("H-02 keeps who may read the file", async () => {
    const { home, install } = place();
    writeFileSync(join(home, ".claude.json"), "{}\n");
    chmodSync(join(home, ".claude.json"), 0o640);
    await install("claude-code");
    expect(statSync(join(home, ".claude.json")).mode & 0o777).toBe(0o640);
  });

  it.each(["--htttp", "--http"])(
    "H-02 writes no entry with %s, which could not start",
    async (flag) => {
      const { install, home } = place();
      await expect(install("cursor", { yes: true }, [flag])).rejects.toMatchObject({ exitCode: 2 });
      expect(existsSync(join(home, "project/.cursor"))).toBe(false);
    },
  );

  it.each<[string, InstallOptions]>([
    ["cursr", {}],
    ["cursor", { scope: "world" }],
    ["cursor", { name: "a.b" }],
    ["claude-desktop", { scope: "project" }],
  ])("H-02 wrong usage is said: %s %o", async (client, options) => {
    const { install } = place();
    const failure = await install(client, options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect(failure).toMatchObject({ exitCode: 2, hint: expect.any(String) });
  });
});
