import { findCondition, isConditionName } from "./find-condition.ts";
import type { RequestFacts } from "./read-request.ts";
import { spokenNames } from "./spoken-names.ts";
import type { Slot } from "./usage.ts";

const SUBJECT =
  /\b(?:about|for|on|regarding)\s{1,3}([^\n]{2,200}?)[.?!]?$|关于\s{0,3}([^\n]{2,100}?)(?:的[^\n]{0,20})?[。？！]?$/imu;
const PRONOUN = /^(?:it|them|this|that|these|those|its|me|us|you)\b/i;
const PURPOSES: readonly RegExp[] = [
  /\b(?:that|which)\s{1,3}([^\n]{4,300}?)[.!]?$/imu,
  /(?:用来|用于|用以)\s{0,3}([^\n]{2,200}?)[。！]?$/imu,
  /\bfor\s{1,3}([^\n]{4,300}?)[.!]?$/imu,
];
const EXPRESSION = /(?:\d|\()[\d\s()+*/^%.×÷-]{1,200}[\d)]/u;

/** Words for a slot that takes a text; in a condition, with masks for numbers. They are quoted, after a colon, or where language puts them. */
export function findText(
  { name }: Slot,
  { text, plain, quoted, afterColon, files, outputs }: RequestFacts,
  isOption: boolean,
): readonly string[] {
  const paths = [...files, ...outputs];
  if (isConditionName(name)) {
    const condition = findCondition(plain);
    if (condition !== undefined) return [condition];
    // What is quoted may be anything, a title or a value.
    if (isOption && !/\bexpr/.test(name))
      return quoted.filter((quote) => /[<>=]/.test(quote)).slice(0, 1);
  }
  const phrase = isOption ? phraseAfterAny(spokenNames(name), text) : undefined;
  if (phrase !== undefined) return [phrase];
  if (quoted.length > 0) return quoted;
  if (/\bexpr/.test(name)) return EXPRESSION.exec(text)?.slice(0, 1) ?? [];
  if (afterColon !== undefined) return [afterColon];
  if (/\b(?:question|prompt)\b|问题/.test(name)) return [text.trim()];
  if (/\b(?:description|purpose|goal)\b|描述|用途/.test(name)) return purposeIn(text);
  if (!/\b(?:query|topic|keywords?|term|title|subject)\b|关键词|主题|标题/.test(name)) return [];
  const match = SUBJECT.exec(text);
  const subject = match?.[1] ?? match?.[2];
  // What a file is called is no subject, and "it" is none.
  const isSubject = !paths.some((path) => subject?.includes(path)) && !PRONOUN.test(subject ?? "");
  return subject === undefined || !isSubject ? [] : [subject];
}

/** What something that is to be made is for: "a tool that sorts notes", 用来整理纪要. */
function purposeIn(text: string): string[] {
  for (const pattern of PURPOSES) {
    const purpose = pattern.exec(text)?.[1]?.trim();
    if (purpose !== undefined) return [purpose];
  }
  return [];
}

/** "title Our plans" for `--title`, up to what may be the next thing said. */
function phraseAfterAny(names: readonly (readonly string[])[], text: string): string | undefined {
  for (const words of names) {
    const phrase = phraseAfter(words.join(" "), text);
    if (phrase !== undefined) return phrase;
  }
  return undefined;
}

function phraseAfter(name: string, text: string): string | undefined {
  const at = ` ${text.toLowerCase()}`.indexOf(` ${name} `);
  if (at < 0 || name.length < 3) return undefined;
  const rest = text.slice(at + name.length + 1, at + name.length + 300);
  const [phrase = ""] = rest.split(/[,;，；。\n]|\s(?:and|then|in|from|into|to)\s/u);
  if (/^\s*(?:of|for|in|on|is|and)\b/i.test(phrase)) return undefined;
  return phrase.trim().replace(/^(["'`])(.*)\1$/, "$2") || undefined;
}
