import type { PolicySettings } from "@skillwright/runtime";
import type { RiskClass } from "@skillwright/runtime/internal";
import type { McpTool } from "./mcp-tool.ts";

/**
 * What policy has to know of these tools: the user named their servers, so they are on, and they are
 * of high risk. A tool that the server calls read-only is of low risk only where the user believes
 * it. Rules, switches and risks of the configuration come before all of this.
 */
export function mcpPolicy(settings: PolicySettings, tools: readonly McpTool[]): PolicySettings {
  const switches: Record<string, boolean> = {};
  const risks: Record<string, RiskClass> = {};
  for (const { definition, server } of tools) {
    const { name, fullName, claimsReadOnly } = definition;
    const { readOnlyTools: believed } = server.connection.settings;
    const isBelieved = typeof believed === "boolean" ? believed : believed.includes(name);
    switches[fullName] = true;
    risks[fullName] = claimsReadOnly && isBelieved ? "low" : "high";
  }
  return {
    ...settings,
    switches: { ...switches, ...settings.switches },
    risks: { ...risks, ...settings.risks },
  };
}
