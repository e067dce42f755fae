import type { SkillTool, ToolContext } from "../tools/skill-tool.ts";
import { callTool, type PlainSchema, plainSchema } from "./call-tool.ts";

/** An element of `tools` of Messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: PlainSchema;
}

/** A block of an assistant message whose type is `tool_use`. */
export interface AnthropicToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: boolean;
}

export function toAnthropicTools(tools: readonly SkillTool[]): AnthropicTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: plainSchema(inputSchema),
  }));
}

/** Runs a call; the result is a block of the next user message. */
export async function runAnthropicToolUse(
  tools: readonly SkillTool[],
  { id, name, input }: AnthropicToolUse,
  context?: ToolContext,
): Promise<AnthropicToolResult> {
  const { text, isError } = await callTool(tools, name, input, context);
  return {
    type: "tool_result",
    tool_use_id: id,
    content: text,
    ...(isError && { is_error: true }),
  };
}
