import type { Failure } from "../failure.ts";
import type { SkillsView } from "../host/skills-view.ts";

/** Longer ones could not be repeated by a model. */
const MAX_NAME_LENGTH = 256;
const MAX_LISTED = 20;

/** The names that a model of this view can ask for. */
export function visibleNames(view: SkillsView): string[] {
  const names = view.skills.map(({ name }) => name);
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME_LENGTH);
}

/**
 * A failure to find a skill names only skills that the model may know of, and all of them when they
 * are few and none is near.
 */
export function withVisibleNames(failure: Failure, view: SkillsView): Failure {
  if (failure.code !== "skill-not-found" && failure.code !== "skill-unusable") return failure;
  const names = visibleNames(view);
  const candidates = failure.candidates?.filter((name) => names.includes(name)) ?? [];
  const { ok, code, message, hint = hintFor(code, names, candidates) } = failure;
  return {
    ok,
    code,
    message,
    ...(hint === undefined ? undefined : { hint }),
    ...(candidates.length === 0 ? undefined : { candidates }),
  };
}

function hintFor(code: string, names: readonly string[], candidates: readonly string[]) {
  if (code !== "skill-not-found" || candidates.length > 0) return undefined;
  if (names.length === 0) return "There are no skills.";
  return names.length > MAX_LISTED ? undefined : `There is: ${names.join(", ")}.`;
}
