import { join } from "node:path";

export const CLIENTS = ["claude-code", "claude-desktop", "codex", "cursor", "vscode"] as const;
export type Client = (typeof CLIENTS)[number];
export type Scope = "project" | "user";

/** Where a client reads its servers, and how they are written there. */
export interface ClientFile {
  readonly path: string;
  readonly format: "json" | "toml";
  /** The object that holds one member per server. */
  readonly key: string;
  /** Whether an entry says that it is a program. */
  readonly typed: boolean;
}

export interface Machine {
  readonly home: string;
  readonly project: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Undefined where the client has no such scope. */
export function clientFile(client: Client, scope: Scope, machine: Machine): ClientFile | undefined {
  const { home, project, env } = machine;
  const isProject = scope === "project";
  const json = { format: "json", key: "mcpServers", typed: false } as const;
  switch (client) {
    case "claude-code":
      // A file of its own in a project, and one of many settings of the user.
      return {
        ...json,
        typed: true,
        path: isProject ? join(project, ".mcp.json") : join(home, ".claude.json"),
      };
    case "claude-desktop":
      if (isProject) return undefined;
      return { ...json, path: join(applicationData(machine), "Claude/claude_desktop_config.json") };
    case "codex": {
      const folder = isProject
        ? join(project, ".codex")
        : (env["CODEX_HOME"] ?? join(home, ".codex"));
      return {
        format: "toml",
        key: "mcp_servers",
        typed: false,
        path: join(folder, "config.toml"),
      };
    }
    case "cursor":
      return { ...json, path: join(isProject ? project : home, ".cursor/mcp.json") };
    default:
      return {
        ...json,
        key: "servers",
        typed: true,
        path: isProject
          ? join(project, ".vscode/mcp.json")
          : join(applicationData(machine), "Code/User/mcp.json"),
      };
  }
}

function applicationData({ home, platform, env }: Machine): string {
  if (platform === "darwin") return join(home, "Library/Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData/Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}
