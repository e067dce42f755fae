const LONGEST_TEXT = 4000;

let segmenter: Intl.Segmenter | undefined;

/** Words of a text in lower case, in order; also of scripts without spaces. */
export function wordsOf(text: string): string[] {
  const folded = text.slice(0, LONGEST_TEXT).normalize("NFKC").toLowerCase();
  // The segmenter knows every script and is slow: plain English does without.
  if (/^[\0-\x7f]*$/.test(folded)) return folded.match(/[a-z\d_]+(?:'[a-z]+)?/g) ?? [];
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(folded)) {
    if (isWordLike === true) words.push(segment);
  }
  return words;
}
