import { findNumbers, type SaidNumber } from "./find-numbers.ts";
import { findPaths } from "./find-paths.ts";
import { maskNumbers, plainNumbers, unmask } from "./mask-numbers.ts";
import { quotesIn } from "./quotes.ts";

/** What of a request can become an argument, each kind in the order of the text. */
export interface RequestFacts {
  readonly text: string;
  /** The text with its numbers in plain digits; a mask for each one that cannot be read. */
  readonly plain: string;
  /** The text with a mask for each number. */
  readonly masked: string;
  readonly isChinese: boolean;
  /** It was asked in German, where points and commas in numbers mean something else. */
  readonly isGerman: boolean;
  readonly files: readonly string[];
  /** Paths that come after "to", "into", "save as" and the like. */
  readonly outputs: readonly string[];
  readonly urls: readonly string[];
  readonly emails: readonly string[];
  readonly dates: readonly string[];
  readonly numbers: readonly SaidNumber[];
  readonly quoted: readonly string[];
  /** What stands after a colon, to the end of the line. */
  readonly afterColon: string | undefined;
  /** `key: value` and `key=value`; keys in lower case. */
  readonly pairs: ReadonlyMap<string, string>;
}

const MAX_REQUEST = 8000;
const MAX_FOLDER_TEXT = 2000;
const FOLDER_NAME = String.raw`[a-z0-9_@+-][\w.@+-]{0,60}`;
const FOLDERS = new RegExp(
  String.raw`(?:\b(?:folders?|director(?:y|ies))|文件夹|目录)\s{0,3}(?<first>${FOLDER_NAME})(?:\s{0,3}(?:\band|\bwith|\bto|和|与)\s{0,3}(?:the\s)?(?!(?:the\s)?(?:folder|director))(?<second>${FOLDER_NAME}))?`,
  "giu",
);
const NO_FOLDER =
  /^(?:and|or|with|of|in|on|to|for|the|a|an|is|are|that|which|has|have|structure|tree|names?|called|named|here|where|what|against|by|from|then|it|s|es)$|\.[a-z]\w{0,9}$/i;
const MAX_VALUES = 50;

/** `/skill-name` at the beginning says who is to work, not on what. */
const INVOCATION = /^\s{0,10}\/[\p{L}\p{N}-]{1,130}(?=\s|$)/u;
const URLS = /\bhttps?:\/\/[^\s"'`<>，。；）)]{1,2000}/giu;
const EMAILS = /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const DATES =
  /\b\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:T\d{2}:\d{2}(?::\d{2})?Z?)?\b|\d{4}年\d{1,2}月\d{1,2}日/g;
const PAIRS =
  /(?<![\p{L}\p{N}_-])-{0,2}([\p{L}][\p{L}\p{N}_-]{0,40})(?:=|:\s|：)\s{0,4}("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s,;，；。]{1,200})/gu;
const COLON = /[:：](?!\/\/)[ \t]{0,4}(\S[^\n]{0,4000})/u;

/** Reads the first part of a request, in time linear in its length. */
export function readRequest(request: string, isGerman = false): RequestFacts {
  const text = request.slice(0, MAX_REQUEST).replace(INVOCATION, "");
  const urls = all(text, URLS).map((url) => url.replace(/[.,!?]+$/, ""));
  const emails = all(text, EMAILS);
  const dates = all(text, DATES);
  const quotes = quotesIn(text, MAX_VALUES);
  const quoted = quotes.map((quote) => quote.text);
  let rest = text;
  for (const taken of [...urls, ...emails, ...dates]) rest = rest.replace(taken, " ");
  const { files: paths, outputs } = findPaths(rest);
  const files = [...paths, ...foldersIn(rest, [...paths, ...outputs])];
  const data = [...urls, ...emails, ...dates, ...files, ...outputs];
  const numbers = findNumbers(blanked(text, data), isGerman).map((number) => {
    const isIn = ({ start, end }: (typeof quotes)[number]) => start < number.at && number.at < end;
    return quotes.some(isIn) ? { ...number, isQuoted: true as const } : number;
  });
  const masked = maskNumbers(text, numbers);
  return {
    text,
    plain: plainNumbers(text, numbers),
    masked,
    isGerman,
    isChinese: /\p{Script=Han}/u.test(text),
    files,
    outputs,
    urls,
    emails,
    dates,
    numbers,
    quoted: quoted.filter((value) => {
      return !files.includes(value.trim()) && !outputs.includes(value.trim());
    }),
    afterColon: COLON.exec(text.replace(URLS, ""))?.[1]?.trim(),
    pairs: pairsIn(masked, numbers),
  };
}

/** With blanks in place of these, so that all else stays where it is. */
function blanked(text: string, values: readonly string[]): string {
  return values
    .filter((value) => value !== "")
    .reduce((rest, value) => rest.replaceAll(value, " ".repeat(value.length)), text);
}

/** Folders that are called so and have no slash: "the folders old and new". */
function foldersIn(text: string, paths: readonly string[]): string[] {
  const folders: string[] = [];
  for (const { groups = {} } of text.slice(0, MAX_FOLDER_TEXT).matchAll(FOLDERS)) {
    for (const name of Object.values(groups)) {
      if (name === undefined || NO_FOLDER.test(name)) continue;
      if (!paths.some((path) => path.includes(name))) folders.push(`${name}/`);
    }
  }
  return folders.slice(0, 2);
}

function all(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([found]) => found).slice(0, MAX_VALUES);
}

function pairsIn(text: string, numbers: readonly SaidNumber[]): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const [, key = "", value = ""] of text.matchAll(PAIRS)) {
    if (pairs.size >= MAX_VALUES) break;
    if (/^https?$/i.test(key)) continue;
    pairs.set(key.toLowerCase(), unmask(value.replace(/^(["'])(.*)\1$/, "$2"), numbers));
  }
  return pairs;
}
