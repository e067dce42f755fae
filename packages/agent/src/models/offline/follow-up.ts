import type { ModelView } from "../model.ts";
import { inEnglish } from "./in-english.ts";
import { readRequest } from "./read-request.ts";

const MAX_LENGTH = 300;
const MAX_EXCHANGES = 20;
const START = String.raw`^\s{0,5}(?:(?:and|but|now|then|ok(?:ay)?|or)[,\s]\s{0,3})?(?:(?:what|how) about|(?:the )?same (?:for|with|on|but)|again|also|instead)?\s{0,3}(?:for|with|in|on|of)?\s{0,3}`;
const END = String.raw`(?:\s(?:then|instead|too|as well|again|please))?\s{0,3}[?.!]{0,3}\s{0,5}$`;
const WORD = String.raw`[\p{L}_][\p{L}\p{N}_]{0,60}`;
const FILES = new RegExp(`${START}(?:and|with|,|\\s|it\\.x){1,20}${END}`, "iu");
const GROUP = new RegExp(
  `${START}(?:grouped\\s)?((?:by|per|for each)\\s(?:the\\s)?${WORD})${END}`,
  "iu",
);
const CONDITION = new RegExp(`${START}(?:only\\s)?(where\\s[^\\n?!]{3,200}?)${END}`, "iu");
const CHINESE_FILES =
  /^\s{0,5}(?:那|那么|还有|再看|换成)?\s{0,3}it\.x\s{0,3}(?:呢|怎么样)?\s{0,3}[？?。]?\s{0,5}$/u;
const SAID_GROUP = new RegExp(
  String.raw`\b(?:grouped\s)?(?<!sorted |ordered |ranked |sort |order |rank )(?:by|per|for each)\s(?:the\s)?${WORD}`,
  "iu",
);
const SAID_CONDITION = /\s(?:only\s)?where\s[^\n?!]{3,200}$/iu;

/**
 * A request that only says what is different, as the whole one that is meant: "and by city" after
 * "total amount by customer in a.csv". Undefined for any other.
 */
export function wholeRequest({ request, history = [] }: ModelView): string | undefined {
  if (history.length === 0 || request.length > MAX_LENGTH) return undefined;
  let before = "";
  for (const exchange of history.slice(-MAX_EXCHANGES)) {
    const said = english(exchange.request);
    before = completed(said, before) ?? said;
  }
  return completed(english(request), before);
}

function english(request: string): string {
  return inEnglish(request) ?? request;
}

function completed(request: string, before: string): string | undefined {
  if (before === "" || before.length > MAX_LENGTH * 4 || request.length > MAX_LENGTH)
    return undefined;
  const { files, outputs } = readRequest(request);
  const said = readRequest(before);
  const paths = [...files, ...outputs];
  const short = paths
    .reduce((rest, path) => rest.replace(path, "it.x"), request)
    .replaceAll(/["'`“”„「」『』《》]/gu, "");
  if (paths.length > 0 && (FILES.test(short) || CHINESE_FILES.test(short))) {
    return withFiles(before, said.files, paths);
  }
  if (paths.length > 0 || said.files.length === 0) return undefined;
  const group = GROUP.exec(request)?.[1];
  if (group !== undefined) return replacedOrAdded(before, SAID_GROUP, group);
  const condition = CONDITION.exec(request)?.[1];
  return condition === undefined
    ? undefined
    : replacedOrAdded(before, SAID_CONDITION, ` ${condition}`);
}

/** The same number of files as before, each in the place of one. */
function withFiles(
  before: string,
  known: readonly string[],
  paths: readonly string[],
): string | undefined {
  if (known.length === 0 || known.length !== paths.length) return undefined;
  return known.reduce((text, path, i) => {
    const other = paths[i] ?? path;
    const isQuoted = /["'`“„「『《＂]/u.test(text.charAt(text.indexOf(path) - 1));
    return text.replace(path, () => (/\s/.test(other) && !isQuoted ? `"${other}"` : other));
  }, before);
}

function replacedOrAdded(before: string, pattern: RegExp, phrase: string): string {
  const plain = before.replace(/[\s?.!]{1,5}$/u, "");
  return pattern.test(plain) ? plain.replace(pattern, () => phrase) : `${plain} ${phrase.trim()}`;
}
