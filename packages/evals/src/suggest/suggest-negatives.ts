import { createSkillIndex, type Failure } from "@skillwright/core";
import { nearNames, type SkillDocument } from "@skillwright/core/internal";
import type { EvalCase, ExpectedSkills } from "../cases/eval-case.ts";
import type { CatalogSkill } from "../lint/lint-context.ts";
import { isSameSkill } from "../trigger/judge-selection.ts";
import { phrasesOf } from "./phrases-of.ts";
import { wordsOf } from "./words-of.ts";

export interface SuggestNegativesOptions {
  readonly skill: string;
  readonly catalog: readonly CatalogSkill[];
  /** Requests that are there already are not proposed again. */
  readonly cases?: readonly EvalCase[];
  readonly limit?: number;
}

/** A request that belongs to a neighbour and shares words with the skill. */
export interface SuggestedNegative {
  readonly input: string;
  readonly expected: ExpectedSkills;
  readonly neighbour: string;
  /** Words that the skill has as well. */
  readonly shared: readonly string[];
  /** From 0 to 1: how near the skill comes to the neighbour in the search. The nearest come first. */
  readonly nearness: number;
}

const LIMIT = 10;
const NEIGHBOURS = 20;

/** Near misses from what the neighbours say of themselves; a person should read them before use. */
export function suggestNegatives({
  skill,
  catalog,
  cases = [],
  limit = LIMIT,
}: SuggestNegativesOptions): readonly SuggestedNegative[] | Failure<"skill-unknown"> {
  const documents = catalog.map(documentOf);
  const own = documents.find(({ name }) => isSameSkill(name, skill));
  if (own === undefined) return unknownSkill(skill, catalog);
  const index = createSkillIndex(documents);
  const alone = createSkillIndex([own]);
  const seen = new Set(cases.map(({ input }) => keyOf(input)));
  const found: SuggestedNegative[] = [];
  const near = index.search(`${own.name} ${own.description}`, { limit: NEIGHBOURS + 1 });
  for (const neighbour of near.filter(({ id }) => id !== own.id)) {
    for (const input of phrasesOf(neighbour.description)) {
      const hits = index.search(input, { limit: documents.length });
      const score = hits.find(({ id }) => id === own.id)?.score;
      const [best] = hits;
      if (best === undefined || best.id !== neighbour.id || score === undefined) continue;
      if (seen.has(keyOf(input))) continue;
      seen.add(keyOf(input));
      const shared = [...new Set(wordsOf(input))].filter((word) => alone.search(word).length > 0);
      const expected = { used: [neighbour.name], unused: [own.name], only: false };
      const nearness = Math.round((score / best.score) * 1000) / 1000;
      found.push({ input, expected, neighbour: neighbour.name, shared, nearness });
    }
  }
  return found
    .sort((a, b) => b.nearness - a.nearness || (a.input < b.input ? -1 : 1))
    .slice(0, limit);
}

export function unknownSkill(
  skill: string,
  catalog: readonly CatalogSkill[],
): Failure<"skill-unknown"> {
  const names = catalog.map(({ name }) => name);
  const candidates = nearNames(skill, names);
  return { ok: false, code: "skill-unknown", message: `There is no skill ${skill}`, candidates };
}

export function documentOf({ name, description }: CatalogSkill): SkillDocument {
  return { id: name, name, description };
}

function keyOf(text: string): string {
  return [...new Set(wordsOf(text))].sort().join(" ");
}
