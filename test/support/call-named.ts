import type { SkillTool, ToolContext } from "@skillwright/core";

/** Calls one of the tools by its name. */
export function callNamed(tools: readonly SkillTool[]) {
  return async (name: string, input: unknown, context?: ToolContext): Promise<unknown> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.execute(input, context);
  };
}
