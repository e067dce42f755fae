import type { Failure } from "../failure.ts";
import { isHostError } from "../internal/options.ts";
import { nearNames } from "../format/names.ts";
import { failureText, isFailure } from "../tools/result-text.ts";
import type { InputSchema, SkillTool, ToolContext } from "../tools/skill-tool.ts";

export interface CalledTool {
  /** What the tool gave. */
  readonly value: unknown;
  readonly text: string;
  readonly isError: boolean;
}

const MAX_REASON = 500;

/**
 * Calls the tool that a model named. Whatever the name and the input are, it throws nothing but what an
 * approver of the host threw.
 */
export async function callTool(
  tools: readonly SkillTool[],
  name: string,
  input: unknown,
  context: ToolContext = {},
): Promise<CalledTool> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return unknownTool(tools, name);
  try {
    const value = await tool.execute(input, context);
    context.onResult?.(name, value);
    return { value, text: tool.toText(value), isError: isError(tool, value) };
  } catch (error) {
    if (isHostError(error)) throw error;
    // A tool of the host's own; those of the presets never throw.
    const reason = error instanceof Error ? error.message : "an unknown error";
    const message = `${name} failed: ${reason.slice(0, MAX_REASON)}`;
    return failed({ ok: false, code: "tool-failed", message });
  }
}

/** Whether a result says that it failed, in any of the presets' ways. */
export function isError(tool: SkillTool, value: unknown): boolean {
  if (isFailure(value) || tool.isError?.(value) === true) return true;
  if (typeof value !== "object" || value === null) return false;
  return (value as { readonly success?: unknown }).success === false;
}

function failed(value: Failure): CalledTool {
  return { value, text: failureText(value), isError: true };
}

function unknownTool(tools: readonly SkillTool[], name: string): CalledTool {
  const names = tools.map((tool) => tool.name);
  const near = nearNames(name, names);
  return failed({
    ok: false,
    code: "tool-not-found",
    message: `there is no tool named ${JSON.stringify(name.slice(0, 100))}`,
    ...(near.length > 0 ? { candidates: near } : { hint: `There is: ${names.join(", ")}.` }),
  });
}
/** A tool's schema as an object of its own, which a framework may change. */
export type PlainSchema = {
  type: "object";
  properties: Record<string, unknown>;
  required?: string[];
  additionalProperties?: boolean;
};

export function plainSchema(schema: InputSchema): PlainSchema {
  return structuredClone(schema) as PlainSchema;
}
