import type { ActiveSkill, ModelView } from "../model.ts";
import { chooseSkills, type SkillChoice } from "./choose-skills.ts";
import { filesBefore, refersBack, topicOf } from "./topic-of.ts";
import type { SkillEntry } from "./rank-skills.ts";

/** The active skills that this request is for: one that is only there since an earlier one may not be. */
export function skillsInUse(view: ModelView): readonly ActiveSkill[] {
  const { active, steps, skills } = view;
  const asked = active.filter(({ carried }) => carried !== true);
  if (asked.length === active.length) return active;
  const hasSelected = steps.some(({ action }) => action.action === "select_skills");
  if (asked.length > 0 && !hasSelected) return asked;
  const { chosen } = chooseFor(view, skills);
  const names = new Set(chosen.map(({ name }) => name));
  const inUse = active.filter(({ name, carried }) => carried !== true || names.has(name));
  if (inUse.length > 0 || chosen.length > 0 || !refersBack(view)) return inUse;
  return active.slice(-1);
}

/** Which skills to use, with what was attached and, when that says nothing, what was named before. */
export function chooseFor(view: ModelView, skills: readonly SkillEntry[]): SkillChoice {
  const topic = topicOf(view);
  const choice = chooseSkills(topic, skills);
  if (choice.chosen.length > 0 || !refersBack(view)) return choice;
  const files = filesBefore(view);
  if (files.length === 0) return choice;
  const { chosen } = chooseSkills(`${topic}\n${files.join(" ")}`, skills);
  return { ...choice, chosen };
}
