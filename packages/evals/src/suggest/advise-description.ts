import { createSkillIndex, type Failure } from "@skillwright/core";
import {
  type SkillIndex,
  quoteLine,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import type { CatalogSkill } from "../lint/lint-context.ts";
import type { TrialResult } from "../results/eval-results.ts";
import { includesSkill, isSameSkill } from "../trigger/judge-selection.ts";
import { documentOf, unknownSkill } from "./suggest-negatives.ts";
import { wordsOf } from "./words-of.ts";

/** A request that must not go to the skill. */
interface GuardQuery {
  readonly input: string;
  /** Who would lose it. */
  readonly owner: string;
  /** So many skills are expected: the skill must not be among the first so many. */
  readonly places: number;
}

/** Requests of cases that belong elsewhere or nowhere, and what the neighbours say of themselves. */
function guardQueries(
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
function isAmongFirst(
  index: SkillIndex,
  skill: string,
  { input, places }: Pick<GuardQuery, "input" | "places">,
): boolean {
  return index.search(input, { limit: places }).some(({ id }) => id === skill);
}

/** What could be added to a description so that missed requests find it. */
export interface DescriptionAdvice {
  readonly ok: true;
  readonly skill: string;
  /** Requests that belong to the skill and were given to another or to none. */
  readonly missed: readonly MissedQuery[];
  readonly accepted: readonly WordProposal[];
  readonly rejected: readonly RejectedWord[];
  /** With all accepted words, tested as a whole; undefined when there is none. */
  readonly description?: string;
}

interface MissedQuery {
  readonly caseId: string;
  readonly input: string;
  /** The skill whose words fit better. */
  readonly winner?: string;
  /** The words fit this skill best already: its description is not why it was missed. */
  readonly isFirstByWords: boolean;
}

interface WordProposal {
  readonly word: string;
  /** Cases that would be found with it. */
  readonly gains: readonly string[];
}

interface RejectedWord {
  readonly word: string;
  /**
   * `claimed`: another skill has the word. `steals`: a request of another skill would be given to this
   * one. `no-effect`: no missed request would be found. `not-needed`: others do what it would do.
   */
  readonly reason: "claimed" | "steals" | "no-effect" | "not-needed";
  /** Who claims it, or what would be stolen. */
  readonly detail: string;
}

interface Missed {
  readonly query: MissedQuery;
  /** Its words. */
  readonly said: ReadonlySet<string>;
  /** So many skills are expected. */
  readonly places: number;
}

/** Of the requests that belong to the skill, those that a model missed in any trial, or that its words miss. */
function missedQueries(
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
function proposedWords(
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

export interface AdviseDescriptionOptions {
  readonly skill: string;
  readonly catalog: readonly CatalogSkill[];
  readonly cases: readonly EvalCase[];
  /** What a model really missed; without them, what the words of the descriptions miss. */
  readonly trials?: readonly TrialResult[];
}

interface Bench {
  readonly own: CatalogSkill;
  readonly index: SkillIndex;
  readonly missed: readonly Missed[];
  /** Only those that are not given to the skill anyway. */
  readonly guards: readonly GuardQuery[];
}

const OPTIONS: OptionKinds<AdviseDescriptionOptions> = {
  skill: "string",
  catalog: "list",
  cases: "list",
  trials: "list",
};

/**
 * Words of missed requests that no neighbour claims. Each is put into the description and all requests
 * of the neighbours are ranked again: one that would be stolen rejects it. Words only; no model is asked.
 */
export function adviseDescription(
  options: AdviseDescriptionOptions,
): DescriptionAdvice | Failure<"skill-unknown"> {
  checkOptions("adviseDescription", options, OPTIONS, ["skill", "catalog", "cases"]);
  const { catalog, cases } = options;
  const own = catalog.find(({ name }) => isSameSkill(name, options.skill));
  if (own === undefined) return unknownSkill(options.skill, catalog);
  const index = createSkillIndex(catalog.map(documentOf));
  const missed = missedQueries(own.name, index, cases, options.trials);
  const guards = guardQueries(own.name, catalog, cases).filter(
    (guard) => !isAmongFirst(index, own.name, guard),
  );
  const bench = { own, index, missed, guards };
  const { words, claimed } = proposedWords(
    missed.map(({ query }) => query.input),
    own,
    catalog,
  );
  const tested = words.map((word) => testWords(withTouched(bench, word), [word]));
  const { chosen, notNeeded } = combine(bench, tested.filter(isGood));
  return {
    ok: true,
    skill: own.name,
    missed: missed.map(({ query }) => query),
    accepted: chosen.map(({ words, gains }) => ({ word: words.join(" "), gains })),
    rejected: [...claimed, ...tested.flatMap(rejection), ...notNeeded],
    ...(chosen.length > 0 && {
      description: extended(
        own.description,
        chosen.flatMap(({ words }) => words),
      ),
    }),
  };
}

interface Tested {
  readonly words: readonly string[];
  readonly gains: WordProposal["gains"];
  readonly stolen: GuardQuery | undefined;
}

function testWords({ own, index, missed, guards }: Bench, words: readonly string[]): Tested {
  index.add(documentOf({ ...own, description: extended(own.description, words) }));
  const gains = missed.filter(({ query, said, places }) => {
    // The search also knows similar words: what a request does not say was not why it was missed.
    const saysOne = words.some((word) => said.has(word));
    return saysOne && !query.isFirstByWords && isAmongFirst(index, own.name, { ...query, places });
  });
  const stolen = guards.find((guard) => isAmongFirst(index, own.name, guard));
  return { words, gains: gains.map(({ query }) => query.caseId), stolen };
}

/** A request without the word gains nothing by it: of a large catalog few are left. */
function withTouched(bench: Bench, word: string): Bench {
  const touched = createSkillIndex([{ id: "word", name: "", description: word }]);
  return { ...bench, guards: bench.guards.filter(({ input }) => touched.search(input).length > 0) };
}

/** Those that gain most first; one more only while the whole gains by it and steals nothing. */
function combine(bench: Bench, good: readonly Tested[]) {
  const order = good.toSorted(
    (a, b) => b.gains.length - a.gains.length || compareTexts(a.words.join(), b.words.join()),
  );
  const chosen: Tested[] = [];
  const notNeeded: RejectedWord[] = [];
  let gained = 0;
  for (const one of order) {
    const words = [...chosen, one].flatMap((part) => part.words);
    const whole = testWords(bench, words);
    if (whole.stolen === undefined && whole.gains.length > gained) {
      gained = whole.gains.length;
      chosen.push(one);
    } else {
      const detail =
        whole.stolen === undefined
          ? chosen.flatMap((part) => part.words).join(", ")
          : stolenText(whole.stolen);
      const reason = whole.stolen === undefined ? ("not-needed" as const) : ("steals" as const);
      notNeeded.push({ word: one.words.join(" "), reason, detail });
    }
  }
  return { chosen, notNeeded };
}

function rejection(tested: Tested): RejectedWord[] {
  const word = tested.words.join(" ");
  if (tested.stolen !== undefined) {
    return [{ word, reason: "steals", detail: stolenText(tested.stolen) }];
  }
  const detail = "no missed request would be found by it alone";
  return isGood(tested) ? [] : [{ word, reason: "no-effect", detail }];
}

function isGood({ stolen, gains }: Tested): boolean {
  return stolen === undefined && gains.length > 0;
}

function stolenText({ input, owner }: GuardQuery): string {
  return `"${quoteLine(input, 80)}" of ${owner}`;
}

function extended(description: string, words: readonly string[]): string {
  const text = description.trim();
  return `${/[.!?。]$/.test(text) ? text : `${text}.`} Also for: ${words.join(", ")}.`;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
