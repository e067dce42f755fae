import type { Action, ActionDecided } from "@skillwright/agent";
import type { TrajectoryStep } from "./trajectory.ts";

/** What was decided, before anybody knows what comes of it. Undefined for what changes only the plan. */
export function stepOf({ turn, action }: ActionDecided): Omit<TrajectoryStep, "atMs"> | undefined {
  if (action.action === "update_plan") return undefined;
  const { action: name, plan_update: _, ...fields } = action;
  return {
    action: name,
    subject: subjectOf(action),
    arguments: fields,
    ok: false,
    observation: "",
    turn,
  };
}

function subjectOf(action: Action): string {
  switch (action.action) {
    case "select_skills":
      return action.skills.map(({ name }) => name).join(", ");
    case "load_resource":
    case "run_script":
      return `${action.skill.name}/${action.relative_path}`;
    case "use_tool":
      return action.tool;
    default:
      return "";
  }
}
