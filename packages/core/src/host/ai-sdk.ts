import type { SkillTool, ToolContext } from "../tools/skill-tool.ts";
import { isError, plainSchema } from "./call-tool.ts";

/** A tool in the shape of the Vercel AI SDK, versions 5 and 6. */
export interface AiSdkTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  execute(
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<unknown>;
  toModelOutput(result: { readonly output: unknown }): AiSdkOutput;
}

interface AiSdkOutput {
  type: "text" | "error-text";
  value: string;
}

/**
 * The tools for `generateText({ tools })`. `jsonSchema` is the function of that name of the package
 * `ai`. A loaded skill's instructions are a tool result, which the SDK keeps in its messages.
 */
export function toAiSdkTools<Schema>(
  tools: readonly SkillTool[],
  jsonSchema: (schema: never) => Schema,
  context: ToolContext = {},
): Record<string, AiSdkTool<Schema>> {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, toAiSdkTool(tool, jsonSchema, context)]),
  );
}

function toAiSdkTool<Schema>(
  tool: SkillTool,
  jsonSchema: (schema: never) => Schema,
  context: ToolContext,
): AiSdkTool<Schema> {
  return {
    description: tool.description,
    inputSchema: jsonSchema(plainSchema(tool.inputSchema) as never),
    execute: (input, { abortSignal: signal } = {}) =>
      tool.execute(input, { ...context, ...(signal && { signal }) }),
    toModelOutput: ({ output }) => ({
      type: isError(tool, output) ? "error-text" : "text",
      value: tool.toText(output),
    }),
  };
}
