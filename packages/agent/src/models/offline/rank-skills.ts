import { createSkillIndex, type SkillIndex } from "@skillwright/core";
import { commonTexts } from "./common-texts.ts";

export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  readonly source?: string;
}

export interface RankedSkill {
  readonly skill: SkillEntry;
  /** How well it fits, on a scale that does not depend on the catalog; see `choose-skills`. */
  readonly fit: number;
}

/** A skill that speaks of itself is not one about skills. */
const ITSELF = /\b(?:this|the) skill\b|本技能|该技能/giu;
const COMMON = "common ";
const REQUEST = "request";
const MAX_REQUEST = 2000;
/** What a request of one telling word scores; one common word alone is no evidence. */
const LEAST_PERFECT = 3;

/** A catalog stays the same over many runs, and indexing it costs more than a search. */
const known = new Map<string, SkillRanking>();
const MAX_KNOWN = 8;

/** Ranks skills for any number of requests. */
export type SkillRanking = (request: string) => RankedSkill[];

/**
 * The score of a search says little by itself. Beside the skills there are texts of common words, so
 * that rarity means the same in a catalog of one skill and of a thousand; and the request is a
 * document too: what it scores against itself is what a perfect fit would score.
 */
export function rankSkills(skills: readonly SkillEntry[]): SkillRanking {
  const key = JSON.stringify(
    skills.map(({ name, description, source }) => [name, description, source]),
  );
  const before = known.get(key);
  if (before !== undefined) return before;
  const index = createSkillIndex([
    ...skills.map(({ name, description }, i) => ({
      id: `${i}`,
      name,
      description: description.replaceAll(ITSELF, " "),
    })),
    ...commonTexts().map((description, i) => ({ id: `${COMMON}${i}`, name: "", description })),
  ]);
  const ranking: SkillRanking = (request) => rank(index, skills, request.slice(0, MAX_REQUEST));
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(key, ranking);
  return ranking;
}

function rank(index: SkillIndex, skills: readonly SkillEntry[], request: string): RankedSkill[] {
  index.add({ id: REQUEST, name: "", description: request });
  const hits = index.search(request, { limit: index.size });
  index.remove(REQUEST);
  const own = hits.find(({ id }) => id === REQUEST)?.score ?? 0;
  const perfect = Math.max(own, LEAST_PERFECT);
  return hits.flatMap(({ id, score }) => {
    const skill = id === REQUEST || id.startsWith(COMMON) ? undefined : skills[Number(id)];
    return skill === undefined ? [] : [{ skill, fit: (score * score) / perfect }];
  });
}
