import type { SkillTool, ToolContext } from "../tools/skill-tool.ts";
import { type PlainSchema, plainSchema } from "./call-tool.ts";

/** What is used of a tool that LangChain made. */
export interface LangChainTool {
  invoke: (input: never, config?: never) => Promise<unknown>;
}

interface LangChainFields {
  readonly name: string;
  readonly description: string;
  readonly schema: PlainSchema;
  /** The text is the message's content, the value its artifact. */
  readonly responseFormat: "content_and_artifact";
}

/** The function `tool` of `@langchain/core/tools`. */
export type MakeLangChainTool<Tool extends LangChainTool> = (
  run: (
    input: unknown,
    config?: { readonly signal?: AbortSignal },
  ) => Promise<[content: string, artifact: unknown]>,
  fields: LangChainFields,
) => Tool;

/** The tools for `model.bindTools(…)` and for agents; `Tool` is best given as `StructuredToolInterface`. */
export function toLangChainTools<Tool extends LangChainTool>(
  tools: readonly SkillTool[],
  makeTool: MakeLangChainTool<Tool>,
  context: ToolContext = {},
): Tool[] {
  return tools.map((tool) => {
    const { name, description } = tool;
    const schema = plainSchema(tool.inputSchema);
    const made = makeTool(
      async (input, config) => {
        const signal = config?.signal;
        const value = await tool.execute(input, { ...context, ...(signal && { signal }) });
        return [tool.toText(value), value];
      },
      { name, description, schema, responseFormat: "content_and_artifact" },
    );
    return withoutValidation(made);
  });
}

/**
 * LangChain throws when an input does not match the schema. The tool itself reads more and answers
 * the rest with what was wrong, so that calls see a schema that lets everything through, while the
 * model is shown the real one.
 */
function withoutValidation<Tool extends LangChainTool>(made: Tool): Tool {
  const lenient = Object.create(made, { schema: { value: {} } }) as Tool;
  const { invoke } = made;
  made.invoke = (input, config) => invoke.call(lenient, input, config);
  return made;
}
