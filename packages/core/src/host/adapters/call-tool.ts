import { nearNames } from "../../format/text/near-names.ts";
import { failureText, isFailure } from "../../tools/failure-text.ts";
import type { SkillTool, ToolContext } from "../../tools/skill-tool.ts";

export interface CalledTool {
  /** What the tool gave. */
  readonly value: unknown;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls the tool that a model named. Never throws, whatever the name and the input are. */
export async function callTool(
  tools: readonly SkillTool[],
  name: string,
  input: unknown,
  context: ToolContext = {},
): Promise<CalledTool> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return unknownTool(tools, name);
  const value = await tool.execute(input, context);
  return { value, text: tool.toText(value), isError: isError(value) };
}

/** Whether a result says that it failed, in any of the presets' ways but plain text. */
export function isError(value: unknown): boolean {
  if (isFailure(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return (value as { readonly success?: unknown }).success === false;
}

function unknownTool(tools: readonly SkillTool[], name: string): CalledTool {
  const names = tools.map((tool) => tool.name);
  const near = nearNames(name, names);
  const value = {
    ok: false,
    code: "tool-not-found",
    message: `there is no tool named ${JSON.stringify(name.slice(0, 100))}`,
    ...(near.length > 0 ? { candidates: near } : { hint: `There is: ${names.join(", ")}.` }),
  } as const;
  return { value, text: failureText(value), isError: true };
}
