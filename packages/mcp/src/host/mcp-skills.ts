import type { SkillSource } from "@skillwright/core";
import { McpHost, type McpHostOptions } from "./mcp-host.ts";

/** The source, and with it whoever has to be asked for files and ended at last. */
export interface McpSkillSource extends SkillSource {
  readonly host: McpHost;
  close(): Promise<void>;
}

/**
 * Skills of MCP servers for a registry: `openSkills({ roots: [folder, mcpSkills({ servers, … })] })`.
 * Each is known by the label of its server and its URI, and can be named as `pdf@mcp:docs`. Nothing
 * but the list is asked for until somebody reads; each read is verified. `close` ends the servers.
 */
export function mcpSkills(options: McpHostOptions): McpSkillSource {
  const host = new McpHost(options);
  return { ...host.source, host, close: () => host.close() };
}
