import { createSkillIndex } from "@skillwright/core";
import type { CatalogSkill } from "../lint/lint-context.ts";
import type { RejectedWord } from "./description-advice.ts";
import { documentOf } from "./suggest-negatives.ts";
import { wordsOf } from "./words-of.ts";

/** Each is tested by ranking again; the words of most requests come first. */
const MOST_WORDS = 40;

/** People say them whatever they want. */
const FILLERS: ReadonlySet<string> = new Set(
  `please help want wants need needs make makes made get got give gave using use used way thing things
  something anything someone everything everyone here now then today tomorrow yesterday want like know
  think look looks show tell let lets put could would quick quickly really just still yet already new
  old good bad best better big small lot many much few first last next one two three hi hey hello thanks
  thank trying try tried keep keeps going come seems kind sort maybe stuff work works working`.split(
    /\s+/,
  ),
);

/** Words of requests that a description could take up, and those that belong to somebody. */
export function proposedWords(
  queries: readonly string[],
  own: CatalogSkill,
  catalog: readonly CatalogSkill[],
): { readonly words: readonly string[]; readonly claimed: readonly RejectedWord[] } {
  const neighbours = createSkillIndex(
    catalog.filter(({ name }) => name !== own.name).map(documentOf),
  );
  const alone = createSkillIndex([documentOf(own)]);
  const words: string[] = [];
  const claimed: RejectedWord[] = [];
  for (const word of frequentWords(queries)) {
    if (alone.search(word).length > 0) continue;
    const [owner] = neighbours.search(word, { limit: 1 });
    if (owner === undefined) words.push(word);
    else claimed.push({ word, reason: "claimed", detail: owner.name });
  }
  return { words, claimed };
}

function frequentWords(queries: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const query of queries) {
    for (const word of new Set(wordsOf(query))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return words
    .map(([word]) => word)
    .filter((word) => !FILLERS.has(word) && !/^\d+$/.test(word) && isSearched(word))
    .slice(0, MOST_WORDS);
}

/** Words of grammar are not in the index; asking it knows all of them. */
function isSearched(word: string): boolean {
  return createSkillIndex([{ id: "word", name: "", description: word }]).search(word).length > 0;
}
