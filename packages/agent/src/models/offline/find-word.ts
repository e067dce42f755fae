import type { RequestFacts } from "./read-request.ts";
import type { Slot } from "./usage.ts";

const UNIT_AFTER_NUMBER =
  /\d\s{0,3}(°?[\p{Script=Latin}µ]{1,20}(?:[/²³^][\p{Script=Latin}\d]{0,10})?|\p{Script=Han}{1,5}?(?=换算|转换|转成|换成|等于|是多少|到|为|成|是|[，。\s]|$))/u;
const AFTER_FROM = /\bfrom\s{1,3}([\p{L}\p{N}_-]{1,40})|从\s{0,3}([\p{L}]{1,10}?)(?=到|转|换|$)/iu;
const AFTER_TO =
  /(?:\b(?:into|to|in)\s{1,3}(°?[\p{Script=Latin}µ][\p{L}\p{N}_²³/^-]{0,40})|(?:换算[成为到]|转换[成为到]|[转换][成为]|翻译[成为]|等于多少|是多少)\s{0,3}(\p{Script=Han}{1,6}|[\p{Script=Latin}]{1,20}))/iu;
/** A name after a preposition: "the weather in Berlin", "查询北京的天气". */
const PROPER_NAME =
  /\b(?:in|for|of|at|about|near)\s{1,3}(\p{Lu}[\p{L}\p{N}'-]{0,40}(?:\s\p{Lu}[\p{L}\p{N}'-]{0,40}){0,3})|(?:查询|查一下|查看|查)\s{0,3}(\p{Script=Han}{2,8}?)的/u;

const LITTLE =
  /^(?:the|a|an|of|in|to|for|by|is|and|or|with|from|on|at|my|this|that|all|each|please|it|column|field|=)$/i;
/** What people say for the names of options. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map([
  ["sum", ["total", "add up"]],
  ["total", ["sum"]],
  ["average", ["mean", "avg"]],
  ["mean", ["average", "avg"]],
  ["avg", ["average", "mean"]],
  ["group by", ["grouped by", "by", "per"]],
  ["group", ["group by", "grouped by", "by", "per"]],
  ["by", ["group by", "per"]],
  ["sort", ["sort by", "sorted by", "order by", "ordered by"]],
  ["sort by", ["sorted by", "order by", "ordered by"]],
  ["column", ["field", "columns"]],
  ["on", ["join on", "by"]],
  ["key", ["on", "by"]],
  ["lang", ["language"]],
]);

/** A single word for a slot that has no type of its own: beside its name, or where language puts it. */
export function findWord(slot: Slot, { text, quoted }: RequestFacts, isOption: boolean): string[] {
  if (slot.type === "from") return first(AFTER_FROM, text) ?? first(UNIT_AFTER_NUMBER, text) ?? [];
  if (slot.type === "to") return first(AFTER_TO, text) ?? [];
  const beside = besideName(slot.name, text);
  if (beside !== undefined) return [beside];
  // An option that nobody speaks of must not take what belongs to others.
  if (isOption) return [];
  return quoted.length > 0 ? [...quoted] : (first(PROPER_NAME, text) ?? []);
}

/** "column price", "the price column", "total amount" for `--sum`, "by region" for `--group-by`. */
function besideName(name: string, text: string): string | undefined {
  const words = text.slice(0, 2000).split(/[\s,，;。"'`“”]+/u);
  for (const wanted of [name, ...(SAME.get(name) ?? [])].map((one) => one.split(" "))) {
    for (let i = 0; i + wanted.length <= words.length; i++) {
      if (!wanted.every((word, offset) => words[i + offset]?.toLowerCase() === word)) continue;
      const after = words.slice(i + wanted.length).find((word) => !LITTLE.test(word));
      const before = words[i - 1] ?? "";
      if (name === "column" && isValue(before)) return before;
      if (after !== undefined && isValue(after)) return after;
      if (isValue(before)) return before;
    }
  }
  return undefined;
}

function isValue(word: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,60}$/u.test(word) && !LITTLE.test(word);
}

function first(pattern: RegExp, text: string): string[] | undefined {
  const match = pattern.exec(text);
  const found = match?.[1] ?? match?.[2];
  return found === undefined ? undefined : [found];
}
