import type { Action } from "../actions/action.ts";
import type { RunState } from "../loop/run-state.ts";
import { loadResource } from "./load-resource.ts";
import type { Observation } from "./observation.ts";
import { runScript } from "./run-script.ts";
import { selectSkills } from "./select-skills.ts";
import { useTool } from "./use-tool.ts";
import type { World } from "./world.ts";

/** Does what was decided. What cannot be done is an observation too; only bugs throw. */
export async function performAction(
  action: Action,
  state: RunState,
  world: World,
): Promise<Observation> {
  switch (action.action) {
    case "select_skills":
      return selectSkills(action, state, world);
    case "load_resource":
      return loadResource(action, state, world);
    case "run_script":
      return runScript(action, state, world);
    case "use_tool":
      return useTool(action, world);
    case "update_plan":
      return { ok: true, text: "The plan is updated." };
    case "final_answer":
      return { ok: true, text: action.answer };
  }
}
