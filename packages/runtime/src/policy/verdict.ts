import type { Decision } from "./decision.ts";

/** What one part of the policy says. */
export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
  readonly rule?: string;
}

const MAX_LENGTH = 120;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE =
  /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text from outside in a reason: short, and with nothing that a terminal obeys. */
export function quoted(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
  return JSON.stringify(short).replace(
    UNSAFE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}
