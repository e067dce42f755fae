import type { SkillIndex } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import type { CatalogSkill } from "../lint/lint-context.ts";
import { includesSkill } from "../trigger/judge-selection.ts";

/** A request that must not go to the skill. */
export interface GuardQuery {
  readonly input: string;
  /** Who would lose it. */
  readonly owner: string;
  /** So many skills are expected: the skill must not be among the first so many. */
  readonly places: number;
}

/** Requests of cases that belong elsewhere or nowhere, and what the neighbours say of themselves. */
export function guardQueries(
  skill: string,
  catalog: readonly CatalogSkill[],
  cases: readonly EvalCase[],
): GuardQuery[] {
  const fromCases = cases.flatMap(({ input, expected: { skills }, mock }): GuardQuery[] => {
    if (skills === undefined || mock !== undefined || includesSkill(skills.used, skill)) return [];
    const isElsewhere =
      skills.used.length > 0 || skills.only || includesSkill(skills.unused, skill);
    const owner = skills.used.length > 0 ? skills.used.join(" and ") : "no skill";
    return isElsewhere ? [{ input, owner, places: Math.max(1, skills.used.length) }] : [];
  });
  const descriptions = catalog
    .filter(({ name }) => name !== skill)
    .map(({ name, description }) => ({ input: description, owner: name, places: 1 }));
  return [...fromCases, ...descriptions];
}

/** Whether the words of a request put the skill among the first. */
export function isAmongFirst(
  index: SkillIndex,
  skill: string,
  { input, places }: Pick<GuardQuery, "input" | "places">,
): boolean {
  return index.search(input, { limit: places }).some(({ id }) => id === skill);
}
