import { withBlanks } from "./spoken-names.ts";

const WORDS: readonly (readonly [operator: string, words: RegExp])[] = [
  [
    ">=",
    /\s(?:is\s)?(?:at least|not less than|greater than or equal to)\s|\s{0,3}(?:大于等于|不小于|不少于|不低于|至少为?)\s{0,3}/giu,
  ],
  [
    "<=",
    /\s(?:is\s)?(?:at most|not more than|less than or equal to)\s|\s{0,3}(?:小于等于|不大于|不超过|不高于|至多为?)\s{0,3}/giu,
  ],
  [
    ">",
    /\s(?:is\s)?(?:greater than|more than|larger than|bigger than|above|over)\s|\s{0,3}(?:大于|超过|高于|多于)\s{0,3}/giu,
  ],
  [
    "<",
    /\s(?:is\s)?(?:less than|smaller than|fewer than|below|under)\s|\s{0,3}(?:小于|低于|少于)\s{0,3}/giu,
  ],
  [
    "!=",
    /\s(?:is not|isn['’]t|does not|doesn['’]t)\s(?:equals?(?:\sto)?\s)|\s{0,3}不等于\s{0,3}/giu,
  ],
  ["=", /\s(?:is\s)?(?:equals|equal to)\s|\s{0,3}等于\s{0,3}/giu],
];
/** Only in what is known to be a condition; elsewhere it says too little. */
const IS_NOT = /\s(?:is not|isn['’]t|are not|!=)\s(?!empty\b)/giu;
const IS = /\s(?:is|are|为|是)\s(?!(?:not\s)?(?:empty|in|like)\b)/giu;
const SIDE = `(?:"[^"\\n]{1,100}"|[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,60}|-\\d[\\d.]{0,30}|\\p{Co})`;
const COMPARISON = `${SIDE}\\s{0,3}(?:[<>=!]=|[<>=≥≤])\\s{0,3}(?:"[^"\\n]{1,100}"|\\p{Co}|-?\\d{1,100}(?:[./]\\d{1,100})?(?![\\p{N}\\p{Script=Latin}_]|[.:-][\\p{L}\\p{N}])|[\\p{Script=Latin}\\p{N}_][\\p{L}\\p{N}_.-]{0,60}|(?:(?!的)\\p{L}){1,60})`;
const COMPARISONS = new RegExp(`${COMPARISON}(?:\\s(?:and|or)\\s${COMPARISON}){0,8}`, "iu");
const GOES_ON =
  /^(?:not\s)?\(?(?:"[^"\n]{1,100}"|[\p{L}\p{N}_.-]{1,60})\s{0,3}(?:[<>=!≥≤]|(?:contains|starts|ends|empty|is|like)\b)/iu;
/** "rows that have region North"; not what is called so or sorted. */
const WITH_VALUE =
  /\b(?:have|has|having|with|whose)\s(?:the\s|a\s)?(?!(?:title|name|the|a|an|columns?|rows?|by)\s)([\p{Ll}_][\p{L}\p{N}_]{0,60})\s(?:of\s|is\s)?("[^"\n]{1,100}"|\p{Lu}[\p{L}\p{N}_-]{0,60})(?=[\s?.!,]|$)(?![^\n]{0,3}\.[a-z])/u;
const MAX_CLAUSE = 300;
const MAX_TEXT = 2000;

/** Whether a slot takes something that holds or does not. */
export function isConditionName(name: string): boolean {
  return /\b(?:where|conditions?|filter|predicate|criteria|expression|expr)\b|条件/.test(name);
}

/** The clause after "where", or else the comparisons in a text: "amount > 3 and region = North". */
export function findCondition(text: string): string | undefined {
  const clause = /(?:^|\s)where\s{1,3}([^\n]{1,300})/iu.exec(text)?.[1];
  if (clause !== undefined) {
    const written = withOperators(clause).replace(IS_NOT, " != ").replace(IS, " = ");
    return untilNext(written) || undefined;
  }
  const start = text.slice(0, MAX_TEXT);
  const comparisons = COMPARISONS.exec(withOperators(withBlanks(start)))?.[0];
  if (comparisons !== undefined) return comparisons;
  const [, column, value] = WITH_VALUE.exec(start) ?? [];
  return column === undefined || value === undefined ? undefined : `${column} = ${value}`;
}

/** "and" may begin what is to be done next, or go on with the condition. */
function untilNext(clause: string): string {
  const [all = ""] = clause.slice(0, MAX_CLAUSE).split(/[,;，；。\n]|\s(?:then|in|from|into)\s/u);
  const [first = "", ...more] = all.split(/(\s(?:and|or)\s)/iu);
  let condition = first;
  for (let i = 0; i + 1 < more.length; i += 2) {
    const next = more[i + 1] ?? "";
    if (!GOES_ON.test(next)) break;
    condition += `${more[i]}${next}`;
  }
  return condition
    .trim()
    .replace(/[.?!]$/, "")
    .replace(/^(["'`])([^"'`]*)\1$/, "$2");
}

function withOperators(text: string): string {
  let written = text;
  for (const [operator, words] of WORDS) written = written.replace(words, ` ${operator} `);
  return written;
}
