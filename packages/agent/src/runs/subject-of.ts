import type { Action } from "../actions/action.ts";

/** For a person: what an action is about. */
export function subjectOf(action: Action): string {
  switch (action.action) {
    case "select_skills":
      return action.skills.map(({ name }) => name).join(", ");
    case "unload_skill":
      return action.skill.name;
    case "load_resource":
      return `${action.skill.name}/${action.relative_path}`;
    case "run_script":
      return [`${action.skill.name}/${action.relative_path}`, ...action.args].join(" ");
    case "use_tool":
      return action.tool;
    default:
      return "";
  }
}
