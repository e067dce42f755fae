import type { Action } from "../actions/action.ts";
import { failed, type Observation } from "./observation.ts";
import type { World } from "./world.ts";

/** Calls a tool of the workspace or of the host. */
export async function useTool(
  { tool: name, input }: Extract<Action, { action: "use_tool" }>,
  { tools, signal }: World,
): Promise<Observation> {
  const tool = tools.tools.find((one) => one.name === name);
  if (tool === undefined)
    return failed({ ok: false, code: "tool-not-found", message: `there is no tool ${name}` });
  const result = await tool.execute(input, { signal });
  const { ok, success, code } = (
    typeof result === "object" && result !== null ? result : {}
  ) as Record<string, unknown>;
  const isOk = ok !== false && success !== false;
  return {
    ok: isOk,
    text: tool.toText(result),
    ...(!isOk && typeof code === "string" && { code }),
  };
}
