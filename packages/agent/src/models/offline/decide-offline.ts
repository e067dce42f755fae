import type { Action } from "../../actions/action.ts";
import type { ModelView } from "../model.ts";
import { noSkillAnswer, type Say, sayIn, toolAnswer } from "./answers.ts";
import { chooseSkills } from "./choose-skills.ts";
import { decideWithSkills } from "./decide-with-skills.ts";
import { foundSkills } from "./found-skills.ts";
import { type Phase, planUpdate } from "./plan-update.ts";
import { readRequest } from "./read-request.ts";
import type { SkillEntry } from "./rank-skills.ts";
import { readWorkspaceRequest } from "./read-workspace-request.ts";

const MAX_QUERY = 500;
const SEARCH_SKILLS = "search_skills";

/** The next decision, from nothing but the view: the same view always gives the same one. */
export function decideOffline(view: ModelView): Action {
  const say = sayIn(/\p{Script=Han}/u.test(view.request.slice(0, 2000)));
  const action = view.active.length > 0 ? decideWithSkills(view, say) : decideWithout(view, say);
  const update = planUpdate(view.request, view.steps.length === 0, phaseOf(action), say);
  return { ...action, plan_update: update };
}

function phaseOf({ action, ...input }: Action): Phase {
  if (action === "final_answer") return "answer";
  if (action === "select_skills") return "find";
  return "tool" in input && input.tool === SEARCH_SKILLS ? "find" : "work";
}

/** Before any skill is active: finds one, or does without. */
function decideWithout(view: ModelView, say: Say): Action {
  const { request, steps, mustAnswer, tools } = view;
  const last = steps.at(-1);
  const search = steps.find(({ action }) => toolOf(action) === SEARCH_SKILLS);
  if (last !== undefined && last !== search) {
    // A skill that ran on its own has answered; a tool too; what failed is said and not repeated.
    const name = toolOf(last.action) ?? last.action.action;
    return { action: "final_answer", answer: toolAnswer(say, name, last.ok, last.observation) };
  }
  const found = search?.ok === true ? foundSkills(search.observation) : [];
  const { chosen, nearest, isClear } = chooseSkills(request, merge(view.skills, found));
  const nothing: Action = { action: "final_answer", answer: noSkillAnswer(say, nearest) };
  if (mustAnswer) return nothing;
  const canSearch = view.omittedSkills > 0 && search === undefined && tools.includes(SEARCH_SKILLS);
  if (canSearch && !isClear) {
    const query = request.trim().slice(0, MAX_QUERY);
    if (query !== "") return { action: "use_tool", tool: SEARCH_SKILLS, input: { query } };
  }
  if (chosen.length > 0) {
    return {
      action: "select_skills",
      skills: chosen.map(({ name, source }) => ({ name, ...(source !== undefined && { source }) })),
      reason: say("The request fits what they are for.", "请求符合这些技能的用途。"),
    };
  }
  const call = readWorkspaceRequest(readRequest(request), tools);
  if (call === undefined) return nothing;
  return { action: "use_tool", tool: call.tool, input: { ...call.input } };
}

function merge(known: readonly SkillEntry[], found: readonly SkillEntry[]): readonly SkillEntry[] {
  const names = new Set(known.map(({ name }) => name));
  const more = found.filter(({ name }) => !names.has(name));
  return more.length === 0 ? known : [...known, ...more];
}

function toolOf(action: Readonly<Record<string, unknown>>): string | undefined {
  const tool = action["tool"];
  return action["action"] === "use_tool" && typeof tool === "string" ? tool : undefined;
}
