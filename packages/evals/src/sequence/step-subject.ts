import type { TrajectoryStep } from "../trajectory/trajectory.ts";
import { STEP_ACTIONS, type StepWord } from "./constraint.ts";

/** Stands between the skill that works apart and what was done in its run. */
export const CHILD_MARK = " > ";

const WORDS: ReadonlyMap<string | undefined, StepWord> = new Map(
  (Object.keys(STEP_ACTIONS) as StepWord[]).map((word) => [STEP_ACTIONS[word], word]),
);

/** All that a subject may be called: as it is, without the run it happened in, each of several skills. */
export function subjectsOf(step: TrajectoryStep): readonly string[] {
  const known = knownSubjects.get(step);
  if (known !== undefined) return known;
  const { action, subject } = step;
  const own = ownSubject(subject);
  const several = action === "select_skills" && own.includes(", ") ? own.split(", ") : [];
  const subjects = [...new Set([subject, own, ...several])];
  knownSubjects.set(step, subjects);
  return subjects;
}

/** Every pattern asks again. */
const knownSubjects = new WeakMap<TrajectoryStep, readonly string[]>();

/** Each subject of a step with all its names: one, but for several skills that were selected at once. */
export function subjectNamesOf(step: TrajectoryStep): readonly (readonly string[])[] {
  const known = knownNames.get(step);
  if (known !== undefined) return known;
  const { action, subject } = step;
  const own = ownSubject(subject);
  const before = subject.slice(0, subject.length - own.length);
  const each = action === "select_skills" ? own.split(", ") : [own];
  const names = each.map((name) => [...new Set([`${before}${name}`, name])]);
  knownNames.set(step, names);
  return names;
}

const knownNames = new WeakMap<TrajectoryStep, readonly (readonly string[])[]>();

/** Names of the skills that a step selected. */
export function selectedSkills(step: TrajectoryStep): readonly string[] {
  return step.action === "select_skills" && step.ok ? ownSubject(step.subject).split(", ") : [];
}

/** The skill that a subject such as `pdf/scripts/fill.py` belongs to; undefined when to none. */
export function skillOf({ action, subject }: TrajectoryStep): string | undefined {
  const isOfSkill = action === "run_script" || action === "load_resource";
  return isOfSkill ? ownSubject(subject).split("/", 1)[0] : undefined;
}

/** The skill in whose own run it happened. */
export function childOf({ subject }: TrajectoryStep): string | undefined {
  const at = subject.lastIndexOf(CHILD_MARK);
  return at === -1 ? undefined : subject.slice(0, at).split(CHILD_MARK).at(-1);
}

/** As the language writes it. */
export function stepText({ action, subject, ok }: TrajectoryStep): string {
  const word = WORDS.get(action) ?? action;
  return `${word}${subject === "" ? "" : ` ${subject}`}${ok ? "" : " (failed)"}`;
}

function ownSubject(subject: string): string {
  const at = subject.lastIndexOf(CHILD_MARK);
  return at === -1 ? subject : subject.slice(at + CHILD_MARK.length);
}
