import type { ApprovalRequest } from "../approval.ts";

/** Whether it is about a skill that an MCP server sent, and not about one in a folder. */
export function isFromServer({ skill }: Pick<ApprovalRequest, "skill">): boolean {
  return skill?.source.startsWith("mcp:") === true;
}
