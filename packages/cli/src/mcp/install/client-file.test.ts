import { describe, expect, it } from "vitest";
import { type Client, clientFile, CLIENTS, type Scope } from "../index.ts";

const MACHINE = { home: "/h", project: "/p", env: {} };

describe("clientFile", () => {
  it.each<[Client, Scope, NodeJS.Platform, string | undefined]>([
    ["claude-code", "project", "linux", "/p/.mcp.json"],
    ["claude-code", "user", "linux", "/h/.claude.json"],
    ["claude-desktop", "user", "linux", "/h/.config/Claude/claude_desktop_config.json"],
    [
      "claude-desktop",
      "user",
      "darwin",
      "/h/Library/Application Support/Claude/claude_desktop_config.json",
    ],
    ["claude-desktop", "project", "linux", undefined],
    ["codex", "user", "linux", "/h/.codex/config.toml"],
    ["codex", "project", "linux", "/p/.codex/config.toml"],
    ["cursor", "project", "linux", "/p/.cursor/mcp.json"],
    ["cursor", "user", "linux", "/h/.cursor/mcp.json"],
    ["vscode", "project", "linux", "/p/.vscode/mcp.json"],
    ["vscode", "user", "darwin", "/h/Library/Application Support/Code/User/mcp.json"],
  ])("H-02 %s, %s, on %s", (client, scope, platform, path) => {
    expect(clientFile(client, scope, { ...MACHINE, platform })?.path).toBe(path);
  });

  it("H-02 every client has a file of the user", () => {
    for (const client of CLIENTS) {
      expect(clientFile(client, "user", { ...MACHINE, platform: "win32" })).toBeDefined();
    }
  });
});
