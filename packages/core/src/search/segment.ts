import { englishWords, toSimplified } from "./chinese-words.ts";
import { createFeatureReader, type SkillDocument, spellingsNear } from "./document-features.ts";
import { AGAINST, hashPair, type Lexicon, scanText, type Word } from "./lexicon.ts";
import { findFeature, type Postings, PostingsBuilder, wordsNear } from "./postings.ts";

export interface SearchHit {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The share of what the query asks for that was found, by how rare the words are: about 0 to 1. */
  readonly score: number;
}

export interface IndexedDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** All documents of an index. Never changes: what is added or removed makes another one. */
export interface Segment {
  readonly postings: Postings;
  readonly documentAt: (number: number) => IndexedDocument;
}

interface QueryFeature {
  readonly hash: number;
  readonly weight: number;
  /** How many documents have it. */
  readonly count: number;
}

/** What is read of a query, which may be a whole pasted file. */
const LONGEST_QUERY = 4000;
const MOST_FEATURES = 256;

const PAIR = 0.5;
const SIMPLIFIED = 0.4;
const GLOSS = 0.5;
const PIECE = 0.2;
const MISSPELLED = 0.6;
/** What a word counts against a document that says it is not for it. */
const AGAINST_WEIGHT = 0.5;
/** A word in so few documents may be a form of a more usual one: then its pieces count as well. */
const RARE = 3;
const MOST_NEAR = 3;

interface Query {
  /** What to look for, each feature once. Features no document has are left out. */
  readonly features: readonly QueryFeature[];
  /** The worth of all its words, those that no document has included. */
  readonly worth: number;
}

function readQuery(query: string, postings: Postings, lexicon: Lexicon): Query {
  const text = query.slice(0, LONGEST_QUERY);
  const weights = new Map<number, number>();
  const words = addWords(text, lexicon, weights);
  let worth = 0;
  for (const [hash, weight] of weights) {
    if (weight === 1) worth += rarityOf(countDocuments(postings, hash), postings);
  }
  addTranslations(text, lexicon, weights);
  addForms(words, postings, weights);
  const features: QueryFeature[] = [];
  for (const [hash, weight] of weights) {
    const count = countDocuments(postings, hash);
    if (count > 0 && features.push({ hash, weight, count }) === MOST_FEATURES) break;
  }
  return { features, worth };
}

function rarityOf(count: number, { documentCount }: Postings): number {
  return Math.log(1 + (documentCount - count + 0.5) / (count + 0.5));
}

function addWords(text: string, lexicon: Lexicon, weights: Map<number, number>): Set<Word> {
  const words = new Set<Word>();
  let previous = 0;
  scanText(text, lexicon, {
    word(word) {
      const [stem] = word.stems;
      if (stem === undefined) return;
      words.add(word);
      for (const part of word.stems) weights.set(part, 1);
      if (previous !== 0) weights.set(hashPair(previous, stem), PAIR);
      previous = stem;
    },
    unspaced(hash) {
      weights.set(hash, 1);
      previous = 0;
    },
  });
  return words;
}

/** Skills in the other Chinese script, and skills in English. */
function addTranslations(text: string, lexicon: Lexicon, weights: Map<number, number>): void {
  if (!/[\u4e00-\u9fff]/.test(text)) return;
  const simplified = toSimplified(text);
  const add = (hash: number, weight: number) => {
    if (!weights.has(hash)) weights.set(hash, weight);
  };
  if (simplified !== text) {
    scanText(simplified, lexicon, { word() {}, unspaced: (hash) => add(hash, SIMPLIFIED) });
  }
  for (const word of englishWords(simplified)) {
    for (const stem of lexicon.wordOf(word).stems) add(stem, GLOSS);
  }
}

/** Other forms and right spellings of words that few or no documents have. */
function addForms(words: Iterable<Word>, postings: Postings, weights: Map<number, number>): void {
  for (const { text, stems, grams } of words) {
    const [stem] = stems;
    const count = stem === undefined ? 0 : countDocuments(postings, stem);
    if (count <= RARE) for (const gram of grams) weights.set(gram, PIECE);
    if (count > 0) continue;
    for (const word of wordsSpelledNear(text, postings)) weights.set(word, MISSPELLED);
  }
}

function wordsSpelledNear(text: string, postings: Postings): number[] {
  const found = new Map<number, number>();
  for (const spelling of spellingsNear(text)) {
    for (const word of wordsNear(postings, spelling)) {
      found.set(word, countDocuments(postings, word));
    }
  }
  return [...found]
    .filter(([, count]) => count > 0)
    .sort(([first, most], [second, count]) => count - most || first - second)
    .slice(0, MOST_NEAR)
    .map(([word]) => word);
}

function countDocuments(postings: Postings, hash: number): number {
  const feature = findFeature(postings, hash);
  if (feature < 0) return 0;
  return (postings.starts[feature + 1] ?? 0) - (postings.starts[feature] ?? 0);
}

/** Of documents with different ids. */
export function buildSegment(documents: readonly SkillDocument[]): Segment {
  const builder = new PostingsBuilder();
  const read = createFeatureReader(builder);
  const sorted = documents.toSorted((first, second) => compareIds(first.id, second.id));
  const kept = sorted.map((document): IndexedDocument => {
    read(document);
    builder.endDocument();
    const { id, name, description } = document;
    return { id, name, description };
  });
  return segmentWith(builder.build(), kept);
}

/** Both in one, without some documents of the first. */
export function mergeSegments(
  base: Segment,
  without: ReadonlySet<string>,
  added: Segment,
): Segment {
  const kept = documentsOf(base).filter(({ id }) => !without.has(id));
  const documents = [...kept, ...documentsOf(added)].sort((a, b) => compareIds(a.id, b.id));
  const numbers = new Map(documents.map(({ id }, number) => [id, number]));
  const builder = new PostingsBuilder();
  copyPostings(base, (id) => (without.has(id) ? -1 : (numbers.get(id) ?? -1)), builder);
  copyPostings(added, (id) => numbers.get(id) ?? -1, builder);
  return segmentWith(builder.build(documents.length), documents);
}

export function documentsOf({ postings, documentAt }: Segment): IndexedDocument[] {
  return Array.from({ length: postings.documentCount }, (_, number) => documentAt(number));
}

/** By code units, which no locale changes. */
function compareIds(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function segmentWith(postings: Postings, documents: readonly IndexedDocument[]): Segment {
  return {
    postings,
    documentAt: (number) => documents[number] ?? { id: "", name: "", description: "" },
  };
}

/** `numberOf` gives the new number of a document, and -1 for one that is left out. */
function copyPostings(
  segment: Segment,
  numberOf: (id: string) => number,
  builder: PostingsBuilder,
): void {
  const { hashes, starts, documents, impacts, neighbours, words } = segment.postings;
  const numbers = Int32Array.from(documentsOf(segment), ({ id }) => numberOf(id));
  for (let feature = 0; feature < hashes.length; feature++) {
    const end = starts[feature + 1] ?? 0;
    for (let i = starts[feature] ?? 0; i < end; i++) {
      const number = numbers[documents[i] ?? 0] ?? -1;
      if (number >= 0) builder.impactOf(number, hashes[feature] ?? 0, impacts[i] ?? 0);
    }
  }
  for (const [i, hash] of neighbours.entries()) builder.neighbour(hash, words[i] ?? 0);
}

interface Candidate {
  readonly score: number;
  readonly number: number;
}

/** The best documents, best first; equal ones in the order of their ids. */
export function searchSegment(
  query: string,
  limit: number,
  { postings, documentAt }: Segment,
  lexicon: Lexicon,
): SearchHit[] {
  const { features, worth } = readQuery(query, postings, lexicon);
  // Also when the limit is not a number.
  if (features.length === 0 || !(limit >= 1)) return [];
  return best(scoreDocuments(postings, features), limit).map(({ score, number }) => {
    const { id, name, description } = documentAt(number);
    return { id, name, description, score: score / worth };
  });
}

const MOST_MATCHES = 12;

/** The words of a query that a document has, those that count most first. */
export function matchedWords(
  query: string,
  id: string,
  { postings, documentAt }: Segment,
  lexicon: Lexicon,
): string[] {
  let document = 0;
  while (document < postings.documentCount && documentAt(document).id !== id) document++;
  const worths = new Map<string, number>();
  for (const [text, word] of wordsOf(query.slice(0, LONGEST_QUERY), lexicon)) {
    const scores = new Float64Array(postings.documentCount);
    const worth = rarityOf(countDocuments(postings, word), postings);
    addImpacts(postings, word, worth, scores);
    if ((scores[document] ?? 0) > 0) worths.set(text, scores[document] ?? 0);
  }
  const sorted = [...worths].sort(([, first], [, second]) => second - first);
  return sorted.slice(0, MOST_MATCHES).map(([text]) => text);
}

/** Each word with its stem; in a script without spaces every two characters are one. */
function wordsOf(query: string, lexicon: Lexicon): Map<string, number> {
  const words = new Map<string, number>();
  scanText(query, lexicon, {
    word: ({ text, stems: [stem] }) => stem !== undefined && words.set(text, stem),
    unspaced: (hash, text = "") => words.set(text, hash),
  });
  return words;
}

function scoreDocuments(postings: Postings, features: readonly QueryFeature[]): Float64Array {
  const scores = new Float64Array(postings.documentCount);
  for (const { hash, weight, count } of features) {
    const worth = (weight * rarityOf(count, postings)) / 255;
    addImpacts(postings, hash, worth, scores);
    addImpacts(postings, hashPair(AGAINST, hash), -AGAINST_WEIGHT * worth, scores);
  }
  return scores;
}

function addImpacts(postings: Postings, hash: number, worth: number, scores: Float64Array): void {
  const { starts, documents, impacts } = postings;
  const feature = findFeature(postings, hash);
  if (feature < 0) return;
  const end = starts[feature + 1] ?? 0;
  for (let i = starts[feature] ?? 0; i < end; i++) {
    const number = documents[i] ?? 0;
    scores[number] = (scores[number] ?? 0) + worth * (impacts[i] ?? 0);
  }
}

function best(scores: Float64Array, limit: number): Candidate[] {
  const floor = limit < scores.length ? nthLargest(scores, limit) : 0;
  const found: Candidate[] = [];
  for (let number = 0; number < scores.length; number++) {
    const score = scores[number] ?? 0;
    if (score > 0 && score >= floor) found.push({ score, number });
  }
  // Sorting is stable and numbers ascend, so ties stay in the order of the ids.
  return found.sort((first, second) => second.score - first.score).slice(0, limit);
}

/** A heap whose smallest element is on top. */
function nthLargest(scores: Float64Array, count: number): number {
  const heap = scores.slice(0, count).sort();
  for (let i = count; i < scores.length; i++) {
    const score = scores[i] ?? 0;
    if (score > (heap[0] ?? 0)) replaceTop(heap, score);
  }
  return heap[0] ?? 0;
}

function replaceTop(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
    const smaller = heap[child] ?? 0;
    if (smaller >= value) break;
    heap[at] = smaller;
    at = child;
  }
  heap[at] = value;
}
