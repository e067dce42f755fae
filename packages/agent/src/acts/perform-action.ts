import type { Action } from "../actions/action.ts";
import type { RunState } from "../loop/run-state.ts";
import { loadResource } from "./load-resource.ts";
import type { Observation } from "./observation.ts";
import { runScript } from "./run-script.ts";
import { selectSkills } from "./select-skills.ts";
import { useTool } from "./use-tool.ts";
import type { World } from "./world.ts";

/**
 * Does what was decided. What cannot be done is an observation too; what throws is the signal, a
 * record that cannot be written, or a bug.
 */
export async function performAction(
  action: Action,
  state: RunState,
  world: World,
  signal: AbortSignal,
): Promise<Observation> {
  if (action.action === "select_skills") return selectSkills(action, state, world);
  if (action.action === "load_resource") return loadResource(action, state, world);
  if (action.action === "run_script") return runScript(action, state, world, signal);
  if (action.action === "use_tool") return useTool(action, world, signal);
  return { ok: true, text: "The plan is updated." };
}
