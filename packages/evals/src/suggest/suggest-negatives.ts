import { createSkillIndex, type Failure } from "@skillwright/core";
import {
  nearNames,
  type SkillDocument,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import type { EvalCase, ExpectedSkills } from "../cases/eval-case.ts";
import type { CatalogSkill } from "../lint/lint-context.ts";
import { isSameSkill } from "../trigger/judge-selection.ts";
import { wordsOf } from "./words-of.ts";

const LONGEST_DESCRIPTION = 4000;
const MOST_PHRASES = 40;
const FEWEST_WORDS = 3;
const MOST_WORDS = 25;
const MOST_LETTERS = 400;

/** What comes before the thing that is asked for. */
const LEAD =
  /^(?:use (?:this|it)?\s*(?:skill)?\s*(?:when(?:ever)?|for|if|to)\b|also (?:use|for)\b|(?:this|the) skill\b|helps?\b|when(?:ever)?\b|and\b|or\b|for\b|triggers?:?\b)\s*/i;
const ASKER =
  /^(?:(?:the )?(?:users?|persons?|people|some(?:one|body)|any(?:one|body)|they|you)\s+(?:wants?|needs?|asks?|has|have|says?|would like)\s*(?:you)?\s*(?:to|for|about|with)?\s*|asked to\s+|working with\s+|to\s+)/i;
/** What is left of a sentence whose quotes are taken out. */
const TRAIL = /(?:[\s,–—-]|\b(?:and|or|says?|asks?|mentions?|like|such as))+$/i;
const NEGATIVE = /\b(?:do not|don't|never|not for|instead of|except|rather than|unless)\b/i;

/** Requests that a description speaks of, as a person would begin them. */
export function phrasesOf(wholeDescription: string): string[] {
  const description = wholeDescription.slice(0, LONGEST_DESCRIPTION);
  const found = new Set<string>();
  for (const [, quote = ""] of description.matchAll(/["“]([^"“”\n]{5,200})["”]/g)) {
    addPhrase(found, quote);
  }
  const plain = description.replace(/["“][^"“”\n]*["”]/g, " ");
  for (const sentence of plain.split(/[.!?;:\n。！？；]+/)) {
    if (NEGATIVE.test(sentence)) continue;
    addPhrase(found, sentence);
    const parts = sentence.split(/,\s*(?:and\s+|or\s+)?|\s+or\s+|，|、/);
    if (parts.length > 1) for (const part of parts) addPhrase(found, part);
  }
  return [...found].slice(0, MOST_PHRASES);
}

function addPhrase(found: Set<string>, text: string): void {
  let phrase = text.replace(/\s+/g, " ").trim();
  for (let before = ""; before !== phrase;) {
    before = phrase;
    phrase = phrase.replace(LEAD, "").replace(ASKER, "").trim();
  }
  phrase = imperative(phrase).slice(0, MOST_LETTERS).replace(TRAIL, "");
  const words = phrase.split(" ").length;
  const isLong = words >= FEWEST_WORDS || /[\u3040-\u9fff]{4,}/.test(phrase);
  if (isLong && words <= MOST_WORDS) found.add(phrase.charAt(0).toUpperCase() + phrase.slice(1));
}

/** "Extracts text" → "Extract text": descriptions speak of the skill, people speak to it. */
function imperative(phrase: string): string {
  return phrase
    .replace(/^([A-Za-z]{2,}[^s\W])s\b(?=\s)/, "$1")
    .replace(/^([A-Za-z]+ (?:and|or) [a-z]{2,}[^s\W])s\b(?=\s)/, "$1");
}

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

const OPTIONS: OptionKinds<SuggestNegativesOptions> = {
  skill: "string",
  catalog: "list",
  cases: "list",
  limit: "number",
};

/** Near misses from what the neighbours say of themselves; a person should read them before use. */
export function suggestNegatives(
  options: SuggestNegativesOptions,
): readonly SuggestedNegative[] | Failure<"skill-unknown"> {
  checkOptions("suggestNegatives", options, OPTIONS, ["skill", "catalog"]);
  const { skill, catalog, cases = [], limit = LIMIT } = options;
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
