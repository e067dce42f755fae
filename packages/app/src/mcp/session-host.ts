import { join } from "node:path";
import type { McpHost } from "@skillwright/mcp";
import type { Session } from "../session/session.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

type Servers = Session["configuration"]["values"]["mcpServers"];

/** Set for every server that we start: one that is this program itself must not start its own. */
const INSIDE = "SKILLWRIGHT_INSIDE_MCP";

/** One for each set of servers, so that a command that looks twice starts them once. */
const opened = new Map<string, Promise<McpHost>>();

/**
 * The servers of the user's configuration; undefined where there are none, or where the command line
 * names the only places to look. Nothing is started before something is asked for. With a label,
 * only that server.
 */
export async function openSessionHost(
  { configuration, cacheDirectory, home }: Session,
  { root, source }: PlaceOptions,
  host: Pick<AppHost, "env" | "version">,
  label?: string,
): Promise<McpHost | undefined> {
  const mcpServers = ofLabel(configuration.values.mcpServers, label);
  if (root !== undefined || source !== undefined || host.env[INSIDE] !== undefined)
    return undefined;
  if (Object.keys(mcpServers).length === 0) return undefined;
  const key = JSON.stringify([mcpServers, cacheDirectory, home]);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const created = createHost(mcpServers, host, cacheDirectory);
  opened.set(key, created);
  return created;
}

/** It is closed: who asks next gets a new one. */
export async function forgetHost(host: McpHost): Promise<void> {
  for (const [key, one] of opened) if ((await one) === host) opened.delete(key);
}

/** Names are compared without regard to case, as those of skills are. */
function ofLabel(servers: Servers, label: string | undefined): Servers {
  if (label === undefined) return servers;
  const wanted = label.toLowerCase();
  const found = Object.entries(servers).filter(([one]) => one.toLowerCase() === wanted);
  return Object.fromEntries(found);
}

/** A host of its own, for who ends it. */
export async function createHost(
  mcpServers: Servers,
  { env, version }: Pick<AppHost, "env" | "version">,
  cacheDirectory: string,
): Promise<McpHost> {
  const { McpHost: Host } = await import("@skillwright/mcp");
  const servers = Object.entries(mcpServers).map(([label, server]) => {
    const isProgram = server.command !== undefined;
    return [label, isProgram ? { ...server, env: { ...server.env, [INSIDE]: "1" } } : server];
  });
  return new Host({
    servers: Object.fromEntries(servers) as typeof mcpServers,
    env,
    cacheDirectory: join(cacheDirectory, "mcp"),
    version,
  });
}
