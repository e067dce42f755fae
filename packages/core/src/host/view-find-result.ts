import type { Failure } from "../failure.ts";
import type { SkillRecord } from "../registry/skill-record.ts";

export type ViewFindResult =
  | { readonly ok: true; readonly skill: SkillRecord }
  | Failure<"skill-not-found" | "skill-unusable">;

export type ViewFindFailure = Extract<ViewFindResult, { ok: false }>;

/** Of a name that does not exist. */
const MAX_ECHOED = 100;

export function notFoundFailure(name: string, candidates: readonly string[]): ViewFindFailure {
  const message = `there is no skill named ${JSON.stringify(name.slice(0, MAX_ECHOED))}`;
  return { ok: false, code: "skill-not-found", message, candidates };
}

export function disabledFailure({ name }: SkillRecord): ViewFindFailure {
  const message = `the skill ${JSON.stringify(name)} is disabled`;
  return { ok: false, code: "skill-not-found", message, hint: "It has to be enabled first." };
}

export function changedFailure({ name }: SkillRecord): Failure<"skill-unusable"> {
  const message = `the skill ${name} has changed since it was trusted`;
  return { ok: false, code: "skill-unusable", message, hint: "It has to be trusted anew." };
}

export function notActiveFailure(
  name: string,
  candidates: readonly string[],
): Failure<"skill-not-active"> {
  const message = `the skill ${JSON.stringify(name.slice(0, MAX_ECHOED))} is not active`;
  return { ok: false, code: "skill-not-active", message, candidates };
}
