/**
 * Features and the documents that have them, in columns. A document is known by its number, in the
 * order of the ids, so that numbers settle ties.
 */
export interface Postings {
  readonly documentCount: number;
  /** Ascending. */
  readonly hashes: Uint32Array;
  /** Where the documents of each feature begin, and the end of the last. */
  readonly starts: Uint32Array;
  readonly documents: Uint16Array | Uint32Array;
  readonly impacts: Uint8Array;
  /** Spellings near to words, ascending, and beside each the feature of the word. */
  readonly neighbours: Uint32Array;
  readonly words: Uint32Array;
}

/** The place of a feature, or -1. */
export function findFeature({ hashes }: Postings, hash: number): number {
  const at = lowerBound(hashes, hash);
  return hashes[at] === hash ? at : -1;
}

/** The features of words that are spelled nearly so. */
export function wordsNear({ neighbours, words }: Postings, spelling: number): number[] {
  const found: number[] = [];
  for (let i = lowerBound(neighbours, spelling); neighbours[i] === spelling; i++) {
    found.push(words[i] ?? 0);
  }
  return found;
}

export function documentNumbers(count: number, length: number): Uint16Array | Uint32Array {
  return count <= 0x1_0000 ? new Uint16Array(length) : new Uint32Array(length);
}

function lowerBound(ascending: Uint32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
