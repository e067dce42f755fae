import { nearNames, type SkillTool } from "@skillwright/core";
import type { Action } from "../actions/action.ts";
import { failed, type Observation, observed } from "./observation.ts";
import type { World } from "./world.ts";

/** For a tool that was stopped to say what it did. */
const GRACE_MS = 1000;

/** Calls a tool of the workspace or of the host. */
export async function useTool(
  { tool: name, input }: Extract<Action, { action: "use_tool" }>,
  { tools: { tools } }: World,
  signal: AbortSignal,
): Promise<Observation> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    const names = tools.map((one) => one.name);
    const message = `there is no tool ${name}`;
    return failed({
      ok: false,
      code: "tool-not-found",
      message,
      candidates: nearNames(name, names),
    });
  }
  return observed(name, { signal, graceMs: GRACE_MS }, async () =>
    observationOf(tool, await tool.execute(input, { signal })),
  );
}

function observationOf(tool: SkillTool, result: unknown): Observation {
  const { ok, success, code } = (
    typeof result === "object" && result !== null ? result : {}
  ) as Readonly<Record<string, unknown>>;
  const isOk = ok !== false && success !== false && tool.isError?.(result) !== true;
  return {
    ok: isOk,
    text: tool.toText(result),
    ...(!isOk && typeof code === "string" && { code }),
  };
}
