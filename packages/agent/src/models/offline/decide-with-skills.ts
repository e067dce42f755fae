import type { Action } from "../../actions/action.ts";
import type { ActiveSkill, ViewedStep } from "../model.ts";
import {
  failureAnswer,
  instructionsAnswer,
  isRefusal,
  missingAnswer,
  outputAnswer,
  pipedAnswer,
  type Say,
  unclearAnswer,
} from "./answers.ts";
import { hasPipedData } from "./attached-files.ts";
import { callFor, callsForAttachments, callsForParts, factsFor } from "./calls-for.ts";
import { chooseResources } from "./choose-resource.ts";
import { correctCall, NOT_WRITTEN } from "./correct-call.ts";
import { fittingSections } from "./fitting-sections.ts";
import { notTakenIn } from "./not-taken-in.ts";
import type { OfflineView } from "./offline-view.ts";
import type { RequestFacts } from "./read-request.ts";

/** Something to do for a skill, or what can be said about it. */
type Work = { readonly action: Action } | { readonly answer: string };

const MAX_SKILLS = 3;
const MAX_ATTEMPTS = 2;
const MAX_REASON = 4000;
const HOW = /^\s{0,5}(?:how (?:do|can|should|would|to)\b|what makes\b|explain\b)|如何|怎么|怎样/iu;

/** Works through the active skills in turn; when there is nothing left to do, answers. */
export function decideWithSkills(view: OfflineView, say: Say): Action {
  const answers = answersFromApart(view);
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
  const answer = [...answers, ...notTakenIn(view, say)].join("\n\n");
  return { action: "final_answer", answer: answer || unfinished };
}

function workOn(skill: ActiveSkill, view: OfflineView, say: Say): Work {
  const steps = view.steps.filter(({ action }) => skillNameOf(action) === skill.name);
  const facts = factsFor(skill, view);
  const runs = steps.filter(({ action }) => action.action === "run_script");
  const parts = callsForParts(skill, facts);
  const several = parts.length > 0 ? parts : callsForAttachments(skill, facts, view);
  const next = several[runs.length];
  if (next !== undefined) return { action: runAction(skill, next.script, next.args) };
  if (several.length > 0) return { answer: runs.map((run) => told(skill, run, say)).join("\n\n") };
  if (runs.length > 0) return afterRun(skill, runs, facts, say);
  const call = callFor(skill, facts, view);
  if (call === undefined) return fromInstructions(skill, steps, facts, say);
  const { script, args, missing, used, unclear } = call;
  if (unclear.length > 0) return { answer: unclearAnswer(say, unclear) };
  // Who asks how to do it and names nothing wants to be told.
  const isQuestion = used === 0 && missing.length > 0 && HOW.test(facts.text);
  if (isQuestion) return fromInstructions(skill, steps, facts, say);
  if (missing.length > 0) {
    const asked = missingAnswer(say, skill.name, script, missing);
    return { answer: hasPipedData(view) ? `${asked}\n\n${pipedAnswer(say)}` : asked };
  }
  return { action: runAction(skill, script, args) };
}

/** What skills that worked in runs of their own have answered. */
function answersFromApart({ steps, active }: OfflineView): string[] {
  const names = new Set(active.map(({ name }) => name));
  return steps.flatMap(({ action, ok, observation }) => {
    if (action.action !== "select_skills" || !ok || !Array.isArray(action["skills"])) return [];
    const selected = action["skills"].map((skill) => skillNameOf({ action: "", skill }) ?? "");
    const isApart = selected.every((name) => !names.has(name.replace(/@[^@]*$/, "")));
    return isApart ? [observation] : [];
  });
}

function told(skill: ActiveSkill, run: ViewedStep, say: Say): string {
  const script = pathOf(run);
  if (run.ok) return outputAnswer(say, script, skill.name, run.observation);
  return failureAnswer(say, sayWhat(skill, script, say), run.observation);
}

function sayWhat({ name }: ActiveSkill, script: string, say: Say): string {
  return say(`${script} of the skill ${name}`, `技能 ${name} 的 ${script}`);
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
    const path = NOT_WRITTEN.exec(runs.at(-2)?.observation.slice(0, MAX_REASON) ?? "")?.[1];
    const note =
      path === undefined
        ? []
        : [
            say(
              `${path} was not written: the folder is read-only for scripts (execution.writable allows it).`,
              `没有写入 ${path}：脚本不能写这个文件夹（可用 execution.writable 允许）。`,
            ),
          ];
    return { answer: last === undefined ? "" : [told(skill, last, say), ...note].join("\n\n") };
  }
  const given = last.action["args"];
  const args = Array.isArray(given) ? given.map(String) : [];
  const corrected =
    runs.length >= MAX_ATTEMPTS || isRefusal(last.observation) || !skill.scripts.includes(script)
      ? undefined
      : correctCall(script, args, last.observation, facts);
  if (corrected !== undefined) return { action: runAction(skill, script, corrected) };
  return { answer: told(skill, last, say) };
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
