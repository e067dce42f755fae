import type { Failure, SkillTool, ToolContext } from "@skillwright/core";
import { promptText, quoteLine } from "@skillwright/core/internal";
import type { Gate } from "@skillwright/runtime";
import type { ServerTools } from "./server-tools.ts";
import type { ToolDefinition } from "./tool-definition.ts";

export interface McpTool {
  readonly definition: ToolDefinition;
  readonly server: ServerTools;
}

export interface GuardMcpOptions {
  /** Decides on every call. It must know the tool's risk: see `mcpPolicy`. */
  readonly gate: Gate;
  readonly cwd: string;
}

type McpToolResult = { readonly ok: true; readonly text: string } | Failure;

const MAX_INPUT = 256 * 1024;

/**
 * A tool of a server behind the gate. What is approved is this input for this definition: an approval
 * that is remembered ends when the server describes the tool differently. Results are exact, but for
 * known secrets.
 */
export function guardMcpTool(tool: McpTool, { gate, cwd }: GuardMcpOptions): SkillTool {
  const { definition, server } = tool;
  const { name, fullName, description, inputSchema, digest } = definition;
  const source = `mcp:${server.connection.label}`;
  return {
    name: fullName,
    description,
    inputSchema,
    async execute(given, context: ToolContext = {}): Promise<McpToolResult> {
      const input = readInput(given);
      if (typeof input === "string") return { ok: false, code: "input-invalid", message: input };
      const passed = await gate.pass(
        // Nothing of ours holds what the server does then, and who approves is told so.
        { tool: fullName, input, cwd, skill: { name, source, digest }, sandbox: "none" },
        context,
      );
      if (!passed.ok) return passed;
      await gate.record({ event: "tool-call", data: { tool: fullName, input, digest } });
      const result = await server.call(definition, input, context.signal);
      const answer: McpToolResult = result.ok
        ? asAnswer(result.value.text, result.value.isError)
        : result;
      gate.audit.append({ event: "tool-end", data: { tool: fullName, ok: answer.ok } });
      const forModel = (text: string) => promptText(gate.secrets.hide(text));
      if (answer.ok) return { ...answer, text: forModel(answer.text) };
      const { message, hint } = answer;
      return {
        ...answer,
        message: forModel(message),
        ...(hint !== undefined && { hint: forModel(hint) }),
      };
    },
    toText(result) {
      const { ok, text, message, hint } = result as Record<string, unknown>;
      if (ok === true) return typeof text === "string" ? text : "";
      return [message, hint].filter((part) => typeof part === "string").join("\n");
    },
  };
}

function asAnswer(text: string, isError: boolean): McpToolResult {
  if (!isError) return { ok: true, text };
  return { ok: false, code: "tool-failed", message: text === "" ? "the tool failed" : text };
}

/** An object, or the JSON text of one; a text says what is wrong. */
function readInput(given: unknown): Record<string, unknown> | string {
  const wrong = "the input is not an object";
  if (typeof given === "string" && given.length > MAX_INPUT) return "the input is too long";
  let value = given ?? {};
  try {
    if (typeof given === "string") value = given.trim() === "" ? {} : JSON.parse(given);
    if (JSON.stringify(value).length > MAX_INPUT) return "the input is too long";
  } catch (error) {
    return `the input is not JSON: ${quoteLine(error instanceof Error ? error.message : "")}`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong;
  return value as Record<string, unknown>;
}
