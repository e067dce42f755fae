import type { ApprovalRequest } from "../approval.ts";

/**
 * Whether it is about a skill that an MCP server sent, and not about one in a folder. A tool of the
 * server is none: it has a name of its own, and who names it means it.
 */
export function isFromServer({ skill, tool }: Pick<ApprovalRequest, "skill" | "tool">): boolean {
  return skill?.source.startsWith("mcp:") === true && !tool.startsWith("mcp__");
}
