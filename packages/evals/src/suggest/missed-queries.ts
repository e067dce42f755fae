import type { SkillIndex } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import type { TrialResult } from "../results/eval-results.ts";
import { includesSkill } from "../trigger/judge-selection.ts";
import type { MissedQuery } from "./description-advice.ts";
import { wordsOf } from "./words-of.ts";

export interface Missed {
  readonly query: MissedQuery;
  /** Its words. */
  readonly said: ReadonlySet<string>;
  /** So many skills are expected. */
  readonly places: number;
}

/** Of the requests that belong to the skill, those that a model missed in any trial, or that its words miss. */
export function missedQueries(
  skill: string,
  index: SkillIndex,
  cases: readonly EvalCase[],
  trials: readonly TrialResult[] | undefined,
): Missed[] {
  const wanted = cases.filter(
    ({ expected, mock }) => mock === undefined && includesSkill(expected.skills?.used ?? [], skill),
  );
  return wanted.flatMap(({ id, input, expected }) => {
    const places = expected.skills?.used.length ?? 1;
    const hits = index.search(input, { limit: places });
    const isFirstByWords = hits.some((hit) => hit.id === skill);
    const isMissed = trials === undefined ? !isFirstByWords : isMissedIn(trials, id, skill);
    const winner = isFirstByWords ? undefined : hits[0]?.name;
    if (!isMissed) return [];
    const query = { caseId: id, input, ...(winner !== undefined && { winner }), isFirstByWords };
    return [{ query, said: new Set(wordsOf(input)), places }];
  });
}

function isMissedIn(trials: readonly TrialResult[], caseId: string, skill: string): boolean {
  return trials.some(
    (trial) =>
      trial.caseId === caseId &&
      trial.arm === "with_skill" &&
      trial.outcome !== "error" &&
      !includesSkill(trial.skills, skill),
  );
}
