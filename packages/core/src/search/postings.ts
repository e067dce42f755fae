import type { FeatureSink } from "./document-features.ts";

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

const FIRST_BITS = 10;
/** Far more than real catalogs have; more only cost tolerance of mistypes. */
const MOST_NEIGHBOURS = 2_000_000;

/** Takes features document by document and sorts them in the end. */
export class PostingsBuilder implements FeatureSink {
  /** Numbers by hash, in the order of arrival. */
  readonly #numbers = new Map<number, number>();
  #documentCount = 0;
  #length = 0;
  #features = new Uint32Array(2 ** FIRST_BITS);
  #documents = new Uint32Array(2 ** FIRST_BITS);
  #impacts = new Uint8Array(2 ** FIRST_BITS);
  /** A spelling and its word in one number would not fit; the spellings are few. */
  readonly #neighbours = new Map<number, number[]>();

  endDocument(): void {
    this.#documentCount++;
  }

  impact(hash: number, impact: number): void {
    this.impactOf(this.#documentCount, hash, impact);
  }

  impactOf(document: number, hash: number, impact: number): void {
    if (this.#length === this.#features.length) this.#grow();
    let number = this.#numbers.get(hash);
    if (number === undefined) this.#numbers.set(hash, (number = this.#numbers.size));
    this.#features[this.#length] = number;
    this.#documents[this.#length] = document;
    this.#impacts[this.#length] = impact;
    this.#length++;
  }

  neighbour(hash: number, word: number): void {
    const words = this.#neighbours.get(hash);
    if (words === undefined) {
      if (this.#neighbours.size < MOST_NEIGHBOURS) this.#neighbours.set(hash, [word]);
    } else if (!words.includes(word)) words.push(word);
  }

  build(documentCount = this.#documentCount): Postings {
    const { order, hashes } = sortFeatures(Uint32Array.from(this.#numbers.keys()));
    const starts = this.#countStarts(order);
    const next = starts.slice();
    const documents = documentNumbers(documentCount, this.#length);
    const impacts = new Uint8Array(this.#length);
    const placeOf = inverse(order);
    for (let i = 0; i < this.#length; i++) {
      const place = placeOf[this.#features[i] ?? 0] ?? 0;
      const at = next[place] ?? 0;
      next[place] = at + 1;
      documents[at] = this.#documents[i] ?? 0;
      impacts[at] = this.#impacts[i] ?? 0;
    }
    return { documentCount, hashes, starts, documents, impacts, ...this.#buildNeighbours() };
  }

  #countStarts(order: Uint32Array): Uint32Array {
    const counts = new Uint32Array(order.length);
    for (let i = 0; i < this.#length; i++) {
      const feature = this.#features[i] ?? 0;
      counts[feature] = (counts[feature] ?? 0) + 1;
    }
    const starts = new Uint32Array(order.length + 1);
    for (const [place, feature] of order.entries()) {
      starts[place + 1] = (starts[place] ?? 0) + (counts[feature] ?? 0);
    }
    return starts;
  }

  #buildNeighbours(): Pick<Postings, "neighbours" | "words"> {
    const sorted = Uint32Array.from(this.#neighbours.keys()).sort();
    const neighbours: number[] = [];
    const words: number[] = [];
    for (const hash of sorted) {
      for (const word of this.#neighbours.get(hash) ?? []) {
        neighbours.push(hash);
        words.push(word);
      }
    }
    return { neighbours: Uint32Array.from(neighbours), words: Uint32Array.from(words) };
  }

  #grow(): void {
    const length = this.#length * 2;
    this.#features = longer(this.#features, new Uint32Array(length));
    this.#documents = longer(this.#documents, new Uint32Array(length));
    this.#impacts = longer(this.#impacts, new Uint8Array(length));
  }
}

/** The numbers of the features in the order of their hashes. */
function sortFeatures(hashes: Uint32Array): { order: Uint32Array; hashes: Uint32Array } {
  const size = hashes.length;
  // Up to two million, hash and number fit together into one double, which sorts far faster.
  if (size > 2 ** 21) {
    const order = Uint32Array.from({ length: size }, (_, i) => i);
    order.sort((first, second) => (hashes[first] ?? 0) - (hashes[second] ?? 0));
    return { order, hashes: order.map((feature) => hashes[feature] ?? 0) };
  }
  const keys = Float64Array.from({ length: size }, (_, i) => (hashes[i] ?? 0) * 2 ** 21 + i);
  keys.sort();
  return {
    order: Uint32Array.from(keys, (key) => key % 2 ** 21),
    hashes: Uint32Array.from(keys, (key) => Math.floor(key / 2 ** 21)),
  };
}

function inverse(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (const [place, feature] of order.entries()) places[feature] = place;
  return places;
}

function longer<Column extends Uint8Array | Uint32Array>(column: Column, into: Column): Column {
  into.set(column);
  return into;
}
