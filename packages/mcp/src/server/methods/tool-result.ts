import type { CallToolResult } from "@modelcontextprotocol/server";
import type { SkillTool } from "@skillwright/core";
import { RUN_SCRIPT } from "../fallback-tools.ts";
import type { HidePaths } from "../path-hider.ts";

/** What a tool gave, as the protocol has it: for a model and for a program. */
export function toolResult(tool: SkillTool, given: unknown, hidePaths: HidePaths): CallToolResult {
  // What a skill says is passed on as it is; what is said of this machine is not.
  const isOurs = tool.name === RUN_SCRIPT || isFailure(given);
  const result = isOurs ? withoutPaths(given, hidePaths) : given;
  const content = [{ type: "text" as const, text: tool.toText(result) }];
  const isError = tool.isError?.(result) === true || isFailure(result);
  const structured = isObject(result) ? { structuredContent: plainJson(forClient(result)) } : {};
  return { content, ...structured, ...(isError && { isError }) };
}

/** A client learns which approval is meant; the signed request stays with whoever runs the server. */
function forClient(result: Record<string, unknown>): Record<string, unknown> {
  const { request } = result;
  if (!isFailure(result) || !isObject(request)) return result;
  const { id, tool, principal } = request;
  return { ...result, request: { id, tool, principal } };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFailure(result: unknown): boolean {
  return isObject(result) && result["ok"] === false;
}

function withoutPaths(value: unknown, hidePaths: HidePaths): unknown {
  if (typeof value === "string") return hidePaths(value);
  if (Array.isArray(value)) return value.map((item) => withoutPaths(item, hidePaths));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutPaths(item, hidePaths)]));
}

/** What JSON has no word for is left out, as it would be on the way. */
function plainJson(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}
