import { createSkillIndex, type Failure } from "@skillwright/core";
import { type SkillIndex, quoteLine } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import type { CatalogSkill } from "../lint/lint-context.ts";
import type { TrialResult } from "../results/eval-results.ts";
import { isSameSkill } from "../trigger/judge-selection.ts";
import type { DescriptionAdvice, RejectedWord, WordProposal } from "./description-advice.ts";
import { type GuardQuery, guardQueries, isAmongFirst } from "./guard-queries.ts";
import { type Missed, missedQueries } from "./missed-queries.ts";
import { proposedWords } from "./proposed-words.ts";
import { documentOf, unknownSkill } from "./suggest-negatives.ts";

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

/**
 * Words of missed requests that no neighbour claims. Each is put into the description and all requests
 * of the neighbours are ranked again: one that would be stolen rejects it. Words only; no model is asked.
 */
export function adviseDescription(
  options: AdviseDescriptionOptions,
): DescriptionAdvice | Failure<"skill-unknown"> {
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
