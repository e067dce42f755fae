import { findSourceUnit, findTargetUnit } from "./find-unit.ts";
import { findRanking } from "./find-ranking.ts";
import { unmask } from "./mask-numbers.ts";
import type { RequestFacts } from "./read-request.ts";
import { isSpokenName, spokenNames, spokenWords } from "./spoken-names.ts";
import type { Slot } from "./usage.ts";

/** A name after a preposition: "the weather in Berlin", "查询北京的天气". */
const PROPER_NAME =
  /\b(?:in|for|of|at|about|near)\s{1,3}(\p{Lu}[\p{L}\p{N}'-]{0,40}(?:\s\p{Lu}[\p{L}\p{N}'-]{0,40}){0,3})|(?:查询|查一下|查看|查)\s{0,3}(\p{Script=Han}{2,8}?)的/u;

/** `weekly-notes` is a name, whatever stands around it. */
const KEBAB = /(?<![a-z0-9_./-])[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,6}(?![a-z0-9_/-]|\.[a-z])/;
const LITTLE =
  /^(?:the|a|an|of|in|to|for|by|is|and|or|with|from|on|at|my|this|that|all|each|every|please|it|column|field|=|中|里|对|把|将|在|请|列|和)$/i;
/** After these comes another thing: "total by region" has no name for the total. */
const TURNS = /^(?:by|per|from|where|按|按照|根据)$/i;

/** Words for a slot that has no type of its own: beside its name, or where language puts them. */
export function findWord(slot: Slot, facts: RequestFacts, isOption: boolean): string[] {
  const { text, plain, masked, quoted } = facts;
  if (slot.type === "from") return findSourceUnit(masked);
  if (slot.type === "to") return findTargetUnit(masked);
  const ranked = rankedFor(slot.name, plain);
  if (ranked !== undefined) return ranked;
  const beside = besideName(slot.name, facts);
  if (beside.length > 0) return slot.isRepeated ? beside.slice(0, 1) : beside;
  // An option that nobody speaks of must not take what belongs to others.
  if (isOption) return [];
  const isName = /\bname\b|名称?/.test(slot.name);
  const kebab = isName ? KEBAB.exec(withoutPaths(facts))?.slice(0, 1) : undefined;
  if (kebab !== undefined) return kebab;
  const match = PROPER_NAME.exec(text);
  const name = match?.[1] ?? match?.[2];
  return quoted.length > 0 ? [...quoted] : name === undefined ? [] : [name];
}

const GROUPS = /^(?:by|group|group by)$/;
const ORDERS = /^(?:sort|sort by|order|order by|rank by)$/;
const ADDS_UP = /^(?:sum|total)$/;
/** "a chart of amount by region" adds it up, where no other result is asked for. */
const OF_BY =
  /\b(?:of|plot|chart|show)\s{1,3}(?:the\s)?([\p{L}_][\p{L}\p{N}_]{0,60})\s(?:by|per|for each)\s/iu;
const OTHER_RESULT =
  /\b(?:average|mean|avg|count|number|how many|max(?:imum)?|min(?:imum)?|highest|lowest|rows|records)\b/iu;

/** What a ranking says of a slot; undefined when that is said in another way. */
function rankedFor(name: string, text: string): string[] | undefined {
  const { group, measure } = findRanking(text) ?? {};
  if (GROUPS.test(name) && group !== undefined) return [group];
  // In "top 5 by units" the units make no groups.
  const isGrouped = /\b(?:per|each)\b|\bby\b[^]*\bby\b/i.test(text);
  if (GROUPS.test(name) && measure !== undefined && !isGrouped) return [];
  if (ORDERS.test(name) && measure !== undefined && group === undefined) return [measure];
  if (!ADDS_UP.test(name) || OTHER_RESULT.test(text)) return undefined;
  if (group !== undefined && measure !== undefined) return [measure];
  const added = OF_BY.exec(text)?.[1];
  return added === undefined ? undefined : [added];
}

function withoutPaths({ text, files, outputs }: RequestFacts): string {
  return [...files, ...outputs].reduce((rest, path) => rest.replaceAll(path, " "), text);
}

/** "column price", "the price column", "total amount" for `--sum`, "by region" for `--group-by`. */
function besideName(name: string, facts: RequestFacts): string[] {
  const { masked, numbers, isChinese, files, outputs } = facts;
  const spaced = [...files, ...outputs].filter((path) => /\s/.test(path));
  const words = spokenWords(spaced.reduce((rest, path) => rest.replaceAll(path, " "), masked));
  const isFree = (word: string) =>
    isValue(word) && !files.includes(word) && !outputs.includes(word) && !isSpokenName(word);
  for (const wanted of spokenNames(name)) {
    for (let i = 0; i + wanted.length <= words.length; i++) {
      if (!wanted.every((word, offset) => words[i + offset]?.toLowerCase() === word)) continue;
      // In Chinese the file comes first: 汇总销售.csv的金额.
      const isLater = (word: string) => isChinese && (word === "的" || files.includes(word));
      const rest = words.slice(i + wanted.length).filter((word) => !isLater(word));
      const next = rest.find((word) => !LITTLE.test(word) || TURNS.test(word)) ?? "";
      const before = words.slice(0, i).findLast((word) => !/^(?:的|中|里)$/.test(word)) ?? "";
      // "by country = DE" is a condition.
      const isCondition = /^[<>=!≥≤]/u.test(rest[rest.indexOf(next) + 1] ?? "");
      const after = TURNS.test(next) || isCondition ? "" : next;
      // In Chinese the name of a result comes after what it is of, as a rule: amount 的总和.
      const isResult = /[和值计均额数]$/u.test(wanted.at(-1) ?? "");
      const isBefore = isResult || name === "column";
      const values = (isBefore ? [before, after] : [after, before]).filter(isFree);
      if (values.length > 0) {
        return values.slice(0, isResult ? 2 : 1).map((value) => unmask(value, numbers));
      }
    }
  }
  return [];
}

function isValue(word: string): boolean {
  return /^[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}_.-]{0,60}$/u.test(word) && !LITTLE.test(word);
}
