import { plainLine } from "../internal/text.ts";

/** No description may take more of a prompt than the specification lets it have. */
const MAX_DESCRIPTION_LENGTH = 1024;
/** How long the short form may be; a first sentence that is longer is cut. */
const MAX_SHORT_LENGTH = 100;
const ELLIPSIS = "…";

/** A description as it stands in a list: on one line, and bounded. */
export function fullText(description: string): string {
  return cutAtWord(plainLine(description), MAX_DESCRIPTION_LENGTH);
}

/** Whether `fullText` says all of it. */
export function isCut(description: string): boolean {
  return (
    description.length > MAX_DESCRIPTION_LENGTH &&
    plainLine(description).length > MAX_DESCRIPTION_LENGTH
  );
}

/** Its first sentence, and further ones while they fit. */
export function shortText(description: string): string {
  const text = plainLine(description);
  if (text.length <= MAX_SHORT_LENGTH) return text;
  let end = 0;
  for (const { index } of text.slice(0, MAX_SHORT_LENGTH + 1).matchAll(SENTENCE_END)) {
    if (index < MAX_SHORT_LENGTH) end = index + 1;
  }
  return end === 0 ? cutAtWord(text, MAX_SHORT_LENGTH) : text.slice(0, end).trimEnd();
}

/** A mark that ends a sentence: before a blank or the end, or a Chinese one; not that of "e.g.". */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no|incl))[.!?](?=\s|$)|[。！？]/gi;

function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const blank = cut.lastIndexOf(" ");
  const end = blank > length / 2 ? cut.slice(0, blank) : withoutHalfPair(cut);
  return end.trimEnd() + ELLIPSIS;
}

function withoutHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
