import type { Action } from "../../actions/action.ts";
import type { ActiveSkill, ModelView } from "../model.ts";
import { noSkillAnswer, pipedAnswer, type Say, sayIn, skillsAnswer } from "./answers.ts";
import { answerFromTools, READ_FILE, toolOf, unreadOf } from "./answer-from-tools.ts";
import { hasPipedData } from "./attached-files.ts";
import { decideWithSkills } from "./decide-with-skills.ts";
import { wholeRequest } from "./follow-up.ts";
import { foundSkills } from "./found-skills.ts";
import { inEnglish, isGerman } from "./in-english.ts";
import type { OfflineView } from "./offline-view.ts";
import { type Phase, planUpdate } from "./plan-update.ts";
import { readRequest } from "./read-request.ts";
import type { SkillEntry } from "./rank-skills.ts";
import { readWorkspaceRequest } from "./read-workspace-request.ts";
import { chooseFor, skillsInUse } from "./skills-in-use.ts";
import { topicOf } from "./topic-of.ts";

const MAX_QUERY = 500;
const SEARCH_SKILLS = "search_skills";
/** Questions that the catalog itself answers. */
const ABOUT_SKILLS =
  /^\s{0,5}(?:(?:what|which|list|show)(?: me)?(?: are)?(?: all)?(?: the| your| my)? (?:available )?skills(?: (?:do you have|do i have|are (?:there|available|installed|here)|can you use))?|what can you do|was kannst du|welche skills (?:hast du|gibt es)|你(?:都)?(?:会|能)(?:做)?(?:什么|些什么)|你?有(?:哪些|什么)技能|列出(?:所有)?技能)\s{0,3}[?？.!。！]{0,3}\s{0,5}$/iu;

/** The next decision, from nothing but the view: the same view always gives the same one. */
export function decideOffline(given: ModelView): Action {
  const view = inLanguageOf(given);
  const say = sayIn(/\p{Script=Han}/u.test(view.request.slice(0, 2000)));
  const inUse = skillsInUse(view);
  const isReady = inUse.length > 0 && missingOf(view, inUse).length === 0;
  const action = isReady
    ? decideWithSkills({ ...view, active: inUse }, say)
    : decideWithout(view, say);
  const phase = phaseOf(action);
  const isIdle = phase === "answer" && !isReady && !view.steps.some(isWork);
  const stand = { isFirst: view.steps.length === 0, phase, isIdle };
  const update = planUpdate(given.request, stand, say);
  return { ...action, plan_update: update };
}

/** Skills are described in English as a rule; a request in German is understood by its common words. */
function inLanguageOf(given: ModelView): OfflineView {
  const translated = inEnglish(given.request);
  const view = { ...given, isGerman: translated !== undefined };
  const whole = wholeRequest(given);
  if (whole !== undefined) return { ...view, request: whole };
  if (translated === undefined) return view;
  const english = { ...view, request: translated };
  const isUnderstood =
    view.active.length > 0
      ? !view.active.some(({ text }) => isGerman(text))
      : chooseFor(english, view.skills).chosen.length > 0;
  return isUnderstood ? english : view;
}

function isWork({ action }: ModelView["steps"][number]): boolean {
  return toolOf(action) !== SEARCH_SKILLS;
}

function phaseOf({ action, ...input }: Action): Phase {
  if (action === "final_answer") return "answer";
  if (action === "select_skills") return "find";
  return "tool" in input && input.tool === SEARCH_SKILLS ? "find" : "work";
}

/** What this request needs beside the skills that an earlier one left active. */
function missingOf(view: ModelView, inUse: readonly ActiveSkill[]): readonly SkillEntry[] {
  const isTried = view.steps.some(({ action }) => action.action === "select_skills");
  if (isTried || !inUse.every(({ carried }) => carried === true)) return [];
  const names = new Set(inUse.map(({ name }) => name));
  return chooseFor(view, view.skills).chosen.filter(({ name }) => !names.has(name));
}

/** Before any skill is active: finds one, or does without. */
function decideWithout(view: OfflineView, say: Say): Action {
  const { request, steps, mustAnswer, tools } = view;
  const last = steps.at(-1);
  const search = steps.find(({ action }) => toolOf(action) === SEARCH_SKILLS);
  if (last !== undefined && last !== search) {
    // A skill that ran on its own has answered; a tool too; what failed is said and not repeated.
    const name = toolOf(last.action) ?? last.action.action;
    const next = last.ok && name === READ_FILE && !mustAnswer ? unreadOf(view)[0] : undefined;
    if (next !== undefined) return { action: "use_tool", tool: READ_FILE, input: { path: next } };
    return { action: "final_answer", answer: answerFromTools(view, name, say) };
  }
  if (ABOUT_SKILLS.test(request.slice(0, MAX_QUERY))) {
    return { action: "final_answer", answer: skillsAnswer(say, view.skills, view.omittedSkills) };
  }
  const found = search?.ok === true ? foundSkills(search.observation) : [];
  const choice = chooseFor(view, merge(view.skills, found));
  const { nearest, isClear } = choice;
  const active = new Set(view.active.map(({ name }) => name));
  const chosen = choice.chosen.filter(({ name }) => !active.has(name));
  const piped = hasPipedData(view) ? [pipedAnswer(say)] : [];
  const answer = [noSkillAnswer(say, nearest), ...piped].join("\n\n");
  const nothing: Action = { action: "final_answer", answer };
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
  const call = readWorkspaceRequest(readRequest(topicOf(view)), tools);
  if (call === undefined) return nothing;
  return { action: "use_tool", tool: call.tool, input: { ...call.input } };
}

function merge(known: readonly SkillEntry[], found: readonly SkillEntry[]): readonly SkillEntry[] {
  const names = new Set(known.map(({ name }) => name));
  const more = found.filter(({ name }) => !names.has(name));
  return more.length === 0 ? known : [...known, ...more];
}
