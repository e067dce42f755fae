import type { Action } from "../../actions/action.ts";
import type { ActiveSkill, ModelView, ViewedStep } from "../model.ts";
import {
  failureAnswer,
  instructionsAnswer,
  isRefusal,
  missingAnswer,
  outputAnswer,
  type Say,
} from "./answers.ts";
import { chooseCall } from "./choose-call.ts";
import { chooseResources } from "./choose-resource.ts";
import { correctCall } from "./correct-call.ts";
import { fittingSections } from "./fitting-sections.ts";
import { partFor } from "./part-for.ts";
import { readRequest, type RequestFacts } from "./read-request.ts";
import { readUsages } from "./read-usages.ts";

/** Something to do for a skill, or what can be said about it. */
type Work = { readonly action: Action } | { readonly answer: string };

const MAX_SKILLS = 3;
const MAX_ATTEMPTS = 2;

/** Works through the active skills in turn; when there is nothing left to do, answers. */
export function decideWithSkills(view: ModelView, say: Say): Action {
  const answers: string[] = [];
  const skills = view.active.slice(-MAX_SKILLS);
  for (const skill of skills) {
    const work = workOn(skill, view, say);
    if ("action" in work && !view.mustAnswer) return work.action;
    if ("answer" in work) answers.push(work.answer);
  }
  const unfinished = say(
    "The run has to end here; the work with the skill is not finished.",
    "运行必须在此结束，技能的工作尚未完成。",
  );
  return { action: "final_answer", answer: answers.join("\n\n") || unfinished };
}

function workOn(skill: ActiveSkill, view: ModelView, say: Say): Work {
  const steps = view.steps.filter(({ action }) => skillNameOf(action) === skill.name);
  const facts = factsFor(skill, view);
  const runs = steps.filter(({ action }) => action.action === "run_script");
  if (runs.length > 0) return afterRun(skill, runs, facts, say);
  const call = chooseCall(readUsages(skill), facts, isInvocation(view));
  if (call === undefined) return fromInstructions(skill, steps, facts, say);
  const { script, args, missing } = call;
  if (missing.length > 0) return { answer: missingAnswer(say, skill.name, script, missing) };
  return { action: runAction(skill, script, args) };
}

/** A person called the skill by its name; the model selected none. */
function isInvocation({ request, active, steps }: ModelView): boolean {
  if (active.length !== 1) return false;
  return (
    /^\s{0,10}\/[\p{L}\p{N}]/u.test(request) ||
    steps.every(({ action }) => action.action !== "select_skills")
  );
}

function afterRun(
  skill: ActiveSkill,
  runs: readonly ViewedStep[],
  facts: RequestFacts,
  say: Say,
): Work {
  const last = runs.at(-1);
  const script = pathOf(last);
  if (last === undefined || last.ok) {
    return { answer: outputAnswer(say, script, skill.name, last?.observation ?? "") };
  }
  const given = last.action["args"];
  const args = Array.isArray(given) ? given.map(String) : [];
  const corrected =
    runs.length >= MAX_ATTEMPTS || isRefusal(last.observation) || !skill.scripts.includes(script)
      ? undefined
      : correctCall(script, args, last.observation, facts);
  if (corrected !== undefined) return { action: runAction(skill, script, corrected) };
  const what = say(`${script} of the skill ${skill.name}`, `技能 ${skill.name} 的 ${script}`);
  return { answer: failureAnswer(say, what, last.observation) };
}

function fromInstructions(
  skill: ActiveSkill,
  steps: readonly ViewedStep[],
  facts: RequestFacts,
  say: Say,
): Work {
  const loads = steps.filter(({ action }) => action.action === "load_resource");
  const wanted = chooseResources(skill, facts.text)[loads.length];
  const failed = loads.some(({ ok }) => !ok);
  if (wanted !== undefined && !failed) {
    return {
      action: {
        action: "load_resource",
        skill: referenceOf(skill),
        relative_path: wanted.path,
        ...(wanted.section !== undefined && { section_hint: wanted.section }),
      },
    };
  }
  const resources = loads
    .filter(({ ok }) => ok)
    .map((step) => ({
      path: pathOf(step),
      text: fittingSections(step.observation, facts.text),
    }));
  const sections = fittingSections(skill.text, facts.text);
  return { answer: instructionsAnswer(say, skill.name, sections, resources) };
}

/** With several skills each gets its part of the request, and the rest where that says nothing. */
function factsFor(skill: ActiveSkill, { request, active }: ModelView): RequestFacts {
  const whole = readRequest(request);
  if (active.length < 2) return whole;
  const part = readRequest(partFor(skill, active, whole.text));
  return {
    ...part,
    isChinese: whole.isChinese,
    files: part.files.length > 0 ? part.files : whole.files,
    urls: part.urls.length > 0 ? part.urls : whole.urls,
    pairs: part.pairs.size > 0 ? part.pairs : whole.pairs,
  };
}

function runAction(skill: ActiveSkill, script: string, args: readonly string[]): Action {
  return {
    action: "run_script",
    skill: referenceOf(skill),
    relative_path: script,
    args: [...args],
  };
}

function referenceOf({ name, source }: ActiveSkill) {
  return { name, ...(source !== "" && { source }) };
}

function pathOf(step: ViewedStep | undefined): string {
  const path = step?.action["relative_path"];
  return typeof path === "string" ? path : "";
}

function skillNameOf(action: ViewedStep["action"]): string | undefined {
  const skill: unknown = action["skill"];
  if (typeof skill === "string") return skill;
  if (typeof skill !== "object" || skill === null || !Object.hasOwn(skill, "name"))
    return undefined;
  const name: unknown = Reflect.get(skill, "name");
  return typeof name === "string" ? name : undefined;
}
