import { type Failure, nearNames } from "@skillwright/core";
import { RISK_CLASSES } from "../../policy/risk-classes.ts";
import { toolName } from "../../policy/tool-names.ts";
import { showText } from "../text/show-values.ts";

export type YesFlagResult =
  | { readonly ok: true; readonly tools: readonly string[] }
  | Failure<"yes-names-nothing" | "tool-unknown">;

/** A tool of an MCP server, whole: whether there is one is only known when it is called. */
const SERVER_TOOL = /^mcp__[\w-]+?__[\w.-]+$/;

const EXAMPLE = "Name the tools: --yes=run_script,write_file";

/**
 * The tools that `--yes=<tool,…>` names, each under our name. A bare `--yes` (undefined or true, as
 * command-line parsers give it) names nothing, and there is no name for all tools.
 */
export function parseYesFlag(
  text: string | boolean | undefined,
  known: Iterable<string> = RISK_CLASSES.keys(),
): YesFlagResult {
  const names = typeof text === "string" ? text.split(",").map((name) => name.trim()) : [];
  if (names.length === 0 || names.includes("")) {
    const message = "--yes approves only tools that it names";
    return { ok: false, code: "yes-names-nothing", message, hint: EXAMPLE };
  }
  const tools = new Set(known);
  const unknown = names.find((name) => !tools.has(toolName(name)) && !SERVER_TOOL.test(name));
  if (unknown === undefined) return { ok: true, tools: [...new Set(names.map(toolName))] };
  const candidates = nearNames(unknown, tools);
  return {
    ok: false,
    code: "tool-unknown",
    message: `--yes names ${showText(unknown)}, which is no tool`,
    hint: EXAMPLE,
    ...(candidates.length === 0 ? undefined : { candidates }),
  };
}
