/** So many others that share a rare word are looked at: texts of a template share all. */
const MOST_CANDIDATES = 200;

/**
 * Of each text, an earlier one that shares at least this much of their words (Jaccard). Two such texts
 * share one of their rarest words, so that only texts with one in common are compared.
 */
export function nearDuplicates(
  texts: readonly ReadonlySet<string>[],
  share: number,
): { readonly index: number; readonly earlier: number }[] {
  const counts = new Map<string, number>();
  for (const words of texts)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarestFirst = (a: string, b: string) =>
    (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || (a < b ? -1 : 1);
  const byWord = new Map<string, number[]>();
  const found: { index: number; earlier: number }[] = [];
  for (const [index, words] of texts.entries()) {
    const rare = [...words].sort(rarestFirst);
    const prefix = rare.slice(0, words.size - Math.ceil(share * words.size) + 1);
    const earlier = findEarlier(words, prefix);
    if (earlier !== undefined) found.push({ index, earlier });
    for (const word of prefix) addTo(byWord, word, index);
  }
  return found;

  function findEarlier(words: ReadonlySet<string>, prefix: readonly string[]): number | undefined {
    let looked = 0;
    for (const word of prefix) {
      for (const other of byWord.get(word) ?? []) {
        const others = texts[other] ?? new Set();
        // Too different in length to be alike.
        if (Math.min(words.size, others.size) < share * Math.max(words.size, others.size)) continue;
        if (jaccard(words, others) >= share) return other;
        if (++looked >= MOST_CANDIDATES) return undefined;
      }
    }
    return undefined;
  }
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  const total = a.size + b.size - common;
  return total === 0 ? 0 : common / total;
}

function addTo(byWord: Map<string, number[]>, word: string, index: number): void {
  const indexes = byWord.get(word);
  if (indexes === undefined) byWord.set(word, [index]);
  else if (indexes.length < MOST_CANDIDATES) indexes.push(index);
}
