import { findCondition } from "./find-condition.ts";
import { maskedIn, unmask } from "./mask-numbers.ts";
import type { RequestFacts } from "./read-request.ts";

/** What was passed to the scripts that ran, and what their skills say. */
export interface Done {
  readonly args: readonly string[];
  readonly instructions: string;
}

const MAX_TEXT = 2000;
const MAX_PHRASES = 5;
const END = String.raw`(?=[,;.:?!，。；]|\s(?:and|then|but|by|per|sorted|ordered|where|in \S{1,100}\.[a-z]|from \S{1,100}\.[a-z]|of \S{1,100}\.[a-z])(?:\s|$)|$)`;
/** What begins with these narrows down what is asked for. */
const LIMITS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<=\s)(?:where|whose|except|excluding|without|unless|not counting)\s[^\n,;?!]{1,100}?${END}`,
    "giu",
  ),
  new RegExp(String.raw`\b(?:only|just)\s(?!\p{L}{1,20}\s?$)[^\n,;?!]{1,80}?${END}`, "giu"),
  new RegExp(String.raw`\bonly\s\p{L}{1,40}(?=[\s.?!]{0,3}$)`, "giu"),
  /(?:[只仅](?:看|要|算|统计|显示|保留)?|除了)[^\n，。；,;的]{1,30}/gu,
  /(?<=\s)(?:since|before|after|until|during|between)\s[^\n,;?!]{0,60}\p{Co}[^\n,;?!]{0,20}/giu,
];
/** "for customers in Berlin", "in 2024": somebody's name or a number tells that it is one. */
const NAMED =
  /(?<=\s)(?:for|in|from|at|with|of)\s(?:(?!by\b|per\b|in\b|from\b)[\p{Ll}_-]{1,40}\s){0,3}(?:(?:in|from|of|over|under|above|below|than|at least|at most|is|=)\s)?(?:\p{Lu}[\p{L}\p{N}_-]{1,60}|\p{Co})/gu;
const ORDER =
  /\b(?:sorted|ordered|ranked)(?:\sby\s(?:the\s)?[\p{L}\p{N}_]{1,60})?|\b(?:sort|order|rank)\s[^\n,;?!]{0,40}?\bby\s[\p{L}\p{N}_]{1,60}|\b(?:ascending|descending|alphabetically)\b|排序|升序|降序/iu;
const ORDER_FLAG = /^--?(?:sort|order|rank|asc|desc|reverse|top|largest|smallest)/i;
const COUNT = /\b(?:top|first|last|bottom|limit(?:ed)?(?: to)?|at most)\s\p{Co}|前\s?\p{Co}/iu;
/** They narrow nothing down. */
const LITTLE =
  /^(?:the|a|an|of|in|to|for|by|is|are|and|or|with|from|on|at|my|this|that|these|those|all|each|it|its|not|only|just|where|whose|which|who|have|has|than|over|under|above|below|more|less|greater|least|most|equal|equals|rows?|lines?|records?|entries|ones?|values?|columns?|files?|please|me|us|except|excluding|without|unless|since|before|after|until|during|between|show|list|give|want|need|counting)$/iu;

/** Conditions, limits and orders in a request that no script was given. */
export function leftOut(facts: RequestFacts, done: Done): string[] {
  if (done.args.length === 0) return [];
  const text = withoutPaths(facts);
  const found = [
    ...LIMITS.flatMap((limit) => matches(text, limit).filter((one) => !isTaken(one, facts, done))),
    ...matches(text, NAMED).filter((one) => !isTaken(one, facts, done)),
    ...conditionLeft(facts, done),
    ...orderLeft(text, facts, done),
  ].map((phrase) => unmask(phrase, facts.numbers).replaceAll(/\s+/g, " ").trim());
  const phrases = [...new Set(found.filter((phrase) => phrase !== ""))];
  // Not a part of what is said already.
  const whole = phrases.filter((one) => !phrases.some((o) => o !== one && o.includes(one)));
  return whole.slice(0, MAX_PHRASES);
}

function matches(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? [];
}

/** What a file is called narrows nothing down. */
function withoutPaths({ masked, files, outputs, quoted }: RequestFacts): string {
  const long = quoted.filter((quote) => /\s/.test(quote));
  return [...files, ...outputs, ...long].reduce(
    (rest, path) => rest.replaceAll(path, "it.x"),
    masked.slice(0, MAX_TEXT),
  );
}

function conditionLeft(facts: RequestFacts, done: Done): string[] {
  const condition = findCondition(facts.plain);
  if (condition === undefined) return [];
  const values = condition.match(/(?:[<>=!≥≤]=?)\s{0,3}("[^"]{1,100}"|\S{1,60})/gu) ?? [];
  const isPassed = values.every((value) => {
    const wanted = unmask(value.replace(/^[<>=!≥≤]+\s*/u, ""), facts.numbers).replaceAll('"', "");
    return done.args.some((arg) => arg.toLowerCase().includes(wanted.toLowerCase()));
  });
  return isPassed ? [] : [condition];
}

function orderLeft(text: string, { numbers }: RequestFacts, { args }: Done): string[] {
  const order = ORDER.exec(text)?.[0];
  const count = COUNT.exec(text)?.[0];
  const isOrdered = args.some((arg) => ORDER_FLAG.test(arg));
  const isCounted =
    count === undefined || maskedIn(count, numbers).every((one) => isPassed(one, args));
  return [
    ...(order === undefined || isOrdered ? [] : [order]),
    ...(count === undefined || isCounted ? [] : [count]),
  ];
}

function isPassed(
  { written, reading }: RequestFacts["numbers"][number],
  args: readonly string[],
): boolean {
  const value = "value" in reading ? reading.value : written;
  const isIn = (arg: string) =>
    [value, written].some((one) => arg === one || arg.split(/[\s=<>"'()]+/).includes(one));
  return args.some(isIn);
}

/** Every word of it is somewhere in the call, or one that the skill itself uses; numbers are in the call. */
function isTaken(phrase: string, { numbers }: RequestFacts, { args, instructions }: Done): boolean {
  if (!maskedIn(phrase, numbers).every((number) => isPassed(number, args))) return false;
  const passed = args.join(" ").toLowerCase();
  const known = instructions.toLowerCase();
  const words = phrase.match(/[\p{L}\p{N}_]{2,60}/gu) ?? [];
  return words.every((word) => {
    const lower = word.toLowerCase();
    const stem = lower.replace(/(?:es|s)$/, "");
    return LITTLE.test(word) || passed.includes(stem) || known.includes(stem);
  });
}

/** Numbers beside the one that a script was given. */
export function numbersLeft({ numbers }: RequestFacts, { args }: Done): string[] {
  const passed = numbers.filter((number) => isPassed(number, args));
  if (passed.length === 0) return [];
  return numbers.filter((number) => !isPassed(number, args)).map(({ written }) => written);
}
