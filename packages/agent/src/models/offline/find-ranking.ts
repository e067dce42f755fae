import { unglue } from "./unglue.ts";

/** What a request ranks, and by what: "top 3 products by units", "which region has the highest amount". */
export interface Ranking {
  /** What there is one result for. */
  readonly group?: string;
  /** What decides. */
  readonly measure?: string;
  /** How many are wanted. */
  readonly count?: string;
}

const WORD = String.raw`[\p{L}_][\p{L}\p{N}_]{0,60}`;
const MOST = String.raw`(?:most|highest|largest|biggest|greatest|best|maximum)`;
const LEAST = String.raw`(?:fewest|lowest|smallest|least|minimum|cheapest)`;
/** These are said of results, and are none themselves. */
const RESULT =
  /^(?:total|sum|average|mean|number|count|overall|combined|of|the|in|all|rows?|value)$/iu;
const NO_NAME =
  /^(?:is|are|one|ones|of|row|rows|line|lines|entry|entries|record|records|file|column|has|have)$/iu;
const TOP = new RegExp(
  String.raw`\b(?:top|best|first|largest|biggest|highest)\s(\d{1,6})(?!\d|[./]\d)\b(?:\s(${WORD}))?|(?<![-./])\b(\d{1,6})\s${MOST}\s(${WORD})`,
  "iu",
);
const WHICH = new RegExp(
  String.raw`\b(?:which|what)\s(${WORD})\s(?:(?!and\b)\S{1,60}\s){0,5}?(?:(${MOST})|${LEAST})\b(?:\s(?!in\b|of\b|from\b)(${WORD}))?`,
  "iu",
);
const WHO = new RegExp(
  String.raw`\b(?:who|whose|which)\b[^\n]{0,60}\b(?:${MOST}|${LEAST})\s(${WORD})`,
  "iu",
);
const SORTED = new RegExp(
  String.raw`\b(?:sort|order|rank)(?:ed)?\b[^\n]{0,60}\bby\s(?:the\s)?(${WORD})`,
  "iu",
);
const BY = new RegExp(
  String.raw`\b(?:by|sorted by|ranked by)\s(?:the\s)?(?:total\s|average\s)?(${WORD})`,
  "iu",
);
const OF_MEASURE = new RegExp(
  String.raw`(?<![-./])\b(\d{1,6})\s(?:highest|lowest|most|fewest)\s(${WORD})|\b(?:highest|lowest)\s(\d{1,6})\s(${WORD})`,
  "iu",
);
const CHINESE_WHICH =
  /哪(?:个|种|些|一个)\s?([\p{Script=Latin}_][\w]{0,60}|\p{Script=Han}{1,6}?)\s?(?=在|的|卖|有|最|销)[^\n]{0,40}最/u;
const CHINESE_SORTED =
  /按(?:照)?\s?([\p{Script=Latin}_][\w]{0,60}|\p{Script=Han}{1,6}?)\s?(?=给|对|把|将|从|排|降|升)[^\n]{0,60}排[序名列]/u;
const MAX_TEXT = 2000;

/** "the sum of amount by city" says both, however it is ranked. */
const RESULT_BY = new RegExp(
  String.raw`\b(?:sum|total|average|mean|avg|maximum|minimum|max|min|highest|lowest)\s(?:of\s)?(?:the\s)?(${WORD})\s(?:by|per|for each)\s(?:the\s)?(${WORD})`,
  "iu",
);

/** What is counted has no name for what decides. */
const COUNTED = /^\s{0,5}(?:count|how many|(?:the )?number of)\b/iu;

/** It is asked for again by every place of every documented call. */
let known: { readonly request: string; readonly ranking: Ranking | undefined } | undefined;

/** Undefined for a request that ranks nothing. */
export function findRanking(request: string): Ranking | undefined {
  if (known?.request !== request) known = { request, ranking: rankingIn(request) };
  return known.ranking;
}

function rankingIn(request: string): Ranking | undefined {
  // The end of a file's name is no word of the sentence.
  const text = unglue(request.slice(0, MAX_TEXT)).replace(/\S{1,200}\.[a-z]\w{0,9}\b/giu, "in");
  const of = OF_MEASURE.exec(text);
  if (of !== null) return { measure: of[2] ?? of[4] ?? "", count: of[1] ?? of[3] ?? "" };
  const chinese = CHINESE_WHICH.exec(text)?.[1];
  if (chinese !== undefined) return { group: chinese };
  const top = TOP.exec(text);
  if (top !== null) {
    const [, added, divided] = RESULT_BY.exec(text) ?? [];
    const by = BY.exec(text)?.[1];
    const isCount = COUNTED.test(text) && top[2] === undefined;
    const group = nameOf(divided ?? (isCount ? by : (top[2] ?? top[4])));
    const measure = nameOf(added ?? (isCount ? undefined : by));
    const count = top[1] ?? top[3];
    return {
      ...(group !== undefined && { group }),
      ...(measure !== undefined && { measure }),
      ...(count !== undefined && { count }),
    };
  }
  const which = WHICH.exec(text);
  if (which !== null && nameOf(which[1]) !== undefined) {
    const measure = nameOf(which[3]);
    return {
      group: which[1] ?? "",
      ...(measure !== undefined && { measure }),
      // Without a word for what decides, one of them alone could be the wrong one.
      ...(which[2] !== undefined && which[3] !== undefined && { count: "1" }),
    };
  }
  const most = nameOf(WHO.exec(text)?.[1]);
  if (most !== undefined) return { measure: most, count: "1" };
  const sorted = nameOf((SORTED.exec(text) ?? CHINESE_SORTED.exec(text))?.[1]);
  return sorted === undefined ? undefined : { measure: sorted };
}

function nameOf(word: string | undefined): string | undefined {
  return word === undefined || RESULT.test(word) || NO_NAME.test(word) ? undefined : word;
}
