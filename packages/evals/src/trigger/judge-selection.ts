import type { ExpectedSkills } from "../cases/eval-case.ts";
import type { TriggerMistake } from "./trigger-summary.ts";

export interface SelectionJudgment {
  readonly right: readonly string[];
  readonly missing: readonly string[];
  /** Selected and wrong. What the case neither wants nor rules out is not here. */
  readonly wrong: readonly string[];
  readonly mistakes: readonly Pick<TriggerMistake, "kind" | "skill">[];
}

/**
 * What one selection has right and wrong. A skill that is selected in the place of an expected one is wrong
 * even if the case does not say so; one beside all expected ones only when the case rules it out.
 */
export function judgeSelection(
  expected: ExpectedSkills,
  selected: ReadonlySet<string>,
): SelectionJudgment {
  const used = new Set(expected.used);
  const unused = new Set(expected.unused);
  const right = [...used].filter((skill) => selected.has(skill));
  const missing = [...used].filter((skill) => !selected.has(skill));
  const isWrong = (skill: string) =>
    !used.has(skill) && (missing.length > 0 || expected.only || unused.has(skill));
  const wrong = [...selected].filter(isWrong);
  const kindOf = (skill: string): TriggerMistake["kind"] => {
    if (missing.length > 0) return "stolen";
    if (used.size > 0) return "extra";
    return unused.has(skill) ? "forbidden" : "unneeded";
  };
  const missed = wrong.length > 0 ? [] : missing;
  return {
    right,
    missing,
    wrong,
    mistakes: [
      ...wrong.map((skill) => ({ kind: kindOf(skill), skill })),
      ...missed.map((skill) => ({ kind: "missed" as const, skill })),
    ],
  };
}

/** Skills are found by their names in any case, so that two spellings are one skill. */
export function isSameSkill(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function includesSkill(names: readonly string[], name: string): boolean {
  return names.some((one) => isSameSkill(one, name));
}

/** Gives every name the spelling that was first seen. */
export function oneSpelling(): (name: string) => string {
  const spellings = new Map<string, string>();
  return (name) => {
    const key = name.toLowerCase();
    const spelling = spellings.get(key) ?? name;
    spellings.set(key, spelling);
    return spelling;
  };
}
