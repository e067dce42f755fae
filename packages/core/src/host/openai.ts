import type { SkillTool, ToolContext } from "../tools/skill-tool.ts";
import { callTool, type PlainSchema, plainSchema } from "./call-tool.ts";

/** An element of `tools` of Chat Completions. */
export interface OpenAiChatTool {
  type: "function";
  function: { name: string; description: string; parameters: PlainSchema };
}

/** An element of `tools` of Responses. */
export interface OpenAiResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: PlainSchema;
  strict: false;
}

/** An element of a chat message's `tool_calls`. */
export interface OpenAiChatCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** An element of a response's `output` whose type is `function_call`. */
export interface OpenAiResponsesCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface OpenAiChatResult {
  role: "tool";
  tool_call_id: string;
  content: string;
}

export interface OpenAiResponsesResult {
  type: "function_call_output";
  call_id: string;
  output: string;
}

export function toOpenAiChatTools(tools: readonly SkillTool[]): OpenAiChatTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: plainSchema(inputSchema) },
  }));
}

/** Not strict: that would make every parameter required. */
export function toOpenAiResponsesTools(tools: readonly SkillTool[]): OpenAiResponsesTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: plainSchema(inputSchema),
    strict: false,
  }));
}

/** Runs a call; the result is the next message. */
export async function runOpenAiChatCall(
  tools: readonly SkillTool[],
  { id, function: call }: OpenAiChatCall,
  context?: ToolContext,
): Promise<OpenAiChatResult> {
  const { text } = await callTool(tools, call.name, call.arguments, context);
  return { role: "tool", tool_call_id: id, content: text };
}

/** Runs a call; the result is the next element of the input. */
export async function runOpenAiResponsesCall(
  tools: readonly SkillTool[],
  { call_id, name, arguments: input }: OpenAiResponsesCall,
  context?: ToolContext,
): Promise<OpenAiResponsesResult> {
  const { text } = await callTool(tools, name, input, context);
  return { type: "function_call_output", call_id, output: text };
}
