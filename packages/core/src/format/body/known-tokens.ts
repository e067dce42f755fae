import { estimateTokens } from "./estimate-tokens.ts";

const KNOWN = new Map<string, number>();
const MAX_KNOWN = 32;
/** Shorter ones are counted as quickly as they are looked up. */
const MIN_LENGTH = 200;

/**
 * `estimateTokens` for texts that come again and again, such as what every turn of every run of a process
 * begins with.
 */
export function knownTokens(text: string): number {
  if (text.length < MIN_LENGTH) return estimateTokens(text);
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  const tokens = estimateTokens(text);
  KNOWN.set(text, tokens);
  return tokens;
}
