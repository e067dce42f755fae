import type { Skills, SkillTool } from "@skillwright/core";
import { mcpHostOf } from "./mcp-session-skills.ts";

/** Tools of the servers of these skills, to be listed. They are called behind the gate; see `withMcp`. */
export async function mcpToolDefinitions(skills: Skills): Promise<readonly SkillTool[]> {
  const listed = await mcpHostOf(skills)?.tools();
  return (listed?.tools ?? []).map(({ definition }) => ({
    name: definition.fullName,
    description: definition.description,
    inputSchema: definition.inputSchema,
    execute: () => Promise.reject(new TypeError(`${definition.fullName} has no gate here`)),
    toText: () => "",
  }));
}
