import { findCondition, isConditionName } from "./find-condition.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Slot } from "./usage.ts";

const SUBJECT =
  /\b(?:about|for|on|regarding)\s{1,3}([^\n]{2,200}?)[.?!]?$|关于\s{0,3}([^\n]{2,100}?)(?:的[^\n]{0,20})?[。？！]?$/imu;
const EXPRESSION = /(?:\d|\()[\d\s()+*/^%.×÷-]{1,200}[\d)]/u;

/** Words for a slot that takes a text: quoted, after a colon, or where language puts them. */
export function findText(
  { name }: Slot,
  { text, quoted, afterColon }: RequestFacts,
  isOption: boolean,
): readonly string[] {
  const condition = isConditionName(name) ? findCondition(text) : undefined;
  if (condition !== undefined) return [condition];
  const phrase = isOption ? phraseAfter(name, text) : undefined;
  if (phrase !== undefined) return [phrase];
  if (quoted.length > 0) return quoted;
  if (/\bexpr/.test(name)) return EXPRESSION.exec(text)?.slice(0, 1) ?? [];
  if (afterColon !== undefined) return [afterColon];
  if (/\b(?:question|prompt)\b|问题/.test(name)) return [text.trim()];
  if (!/\b(?:query|topic|keywords?|term|title|subject)\b|关键词|主题|标题/.test(name)) return [];
  const match = SUBJECT.exec(text);
  const subject = match?.[1] ?? match?.[2];
  return subject === undefined ? [] : [subject];
}

/** "title Our plans" for `--title`, up to what may be the next thing said. */
function phraseAfter(name: string, text: string): string | undefined {
  const at = ` ${text.toLowerCase()}`.indexOf(` ${name} `);
  if (at < 0 || name.length < 3) return undefined;
  const rest = text.slice(at + name.length + 1, at + name.length + 300);
  const [phrase = ""] = rest.split(/[,;，；。\n]|\s(?:and|then|in|from|into)\s/u);
  return phrase.trim().replace(/^(["'`])(.*)\1$/, "$2") || undefined;
}
