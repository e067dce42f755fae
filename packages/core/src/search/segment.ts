import { englishWords, toSimplified } from "./chinese-words.ts";
import { createFeatureReader, spellingsNear } from "./document-features.ts";
import { hashPair, type Lexicon, scanText, type Word } from "./lexicon.ts";
import {
  findFeature,
  type IndexedDocument,
  type Postings,
  PostingsBuilder,
  type Segment,
  wordsNear,
} from "./postings.ts";
import type { SearchHit, SkillDocument } from "./create-skill-index.ts";

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
/** A word in so few documents may be a form of a more usual one: then its pieces count as well. */
const RARE = 3;
const MOST_NEAR = 3;

/** What to look for, each feature once. Features no document has are left out. */
function queryFeatures(
  query: string,
  segments: readonly Segment[],
  lexicon: Lexicon,
): QueryFeature[] {
  const text = query.slice(0, LONGEST_QUERY);
  const weights = new Map<number, number>();
  const words = addWords(text, lexicon, weights);
  addTranslations(text, lexicon, weights);
  addForms(words, segments, weights);
  const features: QueryFeature[] = [];
  for (const [hash, weight] of weights) {
    const count = countDocuments(segments, hash);
    if (count > 0 && features.push({ hash, weight, count }) === MOST_FEATURES) break;
  }
  return features;
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
function addForms(
  words: Iterable<Word>,
  segments: readonly Segment[],
  weights: Map<number, number>,
): void {
  for (const { text, stems, grams } of words) {
    const [stem] = stems;
    const count = stem === undefined ? 0 : countDocuments(segments, stem);
    if (count <= RARE) for (const gram of grams) weights.set(gram, PIECE);
    if (count > 0) continue;
    for (const word of wordsSpelledNear(text, segments)) weights.set(word, MISSPELLED);
  }
}

function wordsSpelledNear(text: string, segments: readonly Segment[]): number[] {
  const found = new Map<number, number>();
  for (const spelling of spellingsNear(text)) {
    for (const { postings } of segments) {
      for (const word of wordsNear(postings, spelling)) {
        if (!found.has(word)) found.set(word, countDocuments(segments, word));
      }
    }
  }
  return [...found]
    .filter(([, count]) => count > 0)
    .sort(([first, most], [second, count]) => count - most || first - second)
    .slice(0, MOST_NEAR)
    .map(([word]) => word);
}

function countDocuments(segments: readonly Segment[], hash: number): number {
  let count = 0;
  for (const segment of segments) count += countInSegment(segment, hash);
  return count;
}

function countInSegment({ postings, removed, removedCount }: Segment, hash: number): number {
  const feature = findFeature(postings, hash);
  if (feature < 0) return 0;
  const start = postings.starts[feature] ?? 0;
  const end = postings.starts[feature + 1] ?? 0;
  if (removedCount === 0) return end - start;
  let count = 0;
  for (let i = start; i < end; i++) if (removed[postings.documents[i] ?? 0] !== 1) count++;
  return count;
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
  return segmentOf(builder.build(), kept);
}

/** One segment with what is left in several. */
export function mergeSegments(segments: readonly Segment[]): Segment {
  const left = segments.flatMap((segment) => remaining(segment).map((document) => document.id));
  const ids = new Map(left.sort(compareIds).map((id, number) => [id, number]));
  const documents: IndexedDocument[] = [];
  const builder = new PostingsBuilder();
  for (const segment of segments) {
    const { postings, documentAt, removed } = segment;
    const numbers = new Int32Array(postings.documentCount).fill(-1);
    for (let i = 0; i < numbers.length; i++) {
      if (removed[i] === 1) continue;
      const document = documentAt(i);
      const number = ids.get(document.id) ?? -1;
      numbers[i] = number;
      documents[number] = document;
    }
    copyPostings(postings, numbers, builder);
  }
  return segmentOf(builder.build(ids.size), documents);
}

export function remaining({ postings, documentAt, removed }: Segment): IndexedDocument[] {
  const documents: IndexedDocument[] = [];
  for (let i = 0; i < postings.documentCount; i++) {
    if (removed[i] !== 1) documents.push(documentAt(i));
  }
  return documents;
}

/** By code units, which no locale changes. */
function compareIds(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function segmentOf(postings: Postings, documents: readonly IndexedDocument[]): Segment {
  return {
    postings,
    documentAt: (number) => documents[number] ?? { id: "", name: "", description: "" },
    removed: new Uint8Array(postings.documentCount),
    removedCount: 0,
  };
}

function copyPostings(postings: Postings, numbers: Int32Array, builder: PostingsBuilder): void {
  const { hashes, starts, documents, impacts, neighbours, words } = postings;
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

/** The best documents of all segments, best first; equal ones in the order of their ids. */
export function searchSegments(
  query: string,
  limit: number,
  segments: readonly Segment[],
  lexicon: Lexicon,
): SearchHit[] {
  const features = queryFeatures(query, segments, lexicon);
  if (features.length === 0 || limit < 1) return [];
  const total = segments.reduce((sum, { removed, removedCount }) => {
    return sum + removed.length - removedCount;
  }, 0);
  const hits = segments.flatMap((segment) => {
    const scores = scoreDocuments(segment, features, total);
    return best(scores, limit).map(({ score, number }): SearchHit => {
      const { id, name, description } = segment.documentAt(number);
      return { id, name, description, score };
    });
  });
  if (segments.length > 1) {
    hits.sort((first, second) => second.score - first.score || compareIds(first.id, second.id));
  }
  return hits.slice(0, limit);
}

function scoreDocuments(
  { postings, removed, removedCount }: Segment,
  features: readonly QueryFeature[],
  total: number,
): Float64Array {
  const { starts, documents, impacts } = postings;
  const scores = new Float64Array(postings.documentCount);
  for (const { hash, weight, count } of features) {
    const feature = findFeature(postings, hash);
    if (feature < 0) continue;
    const worth = (weight * Math.log(1 + (total - count + 0.5) / (count + 0.5))) / 255;
    const end = starts[feature + 1] ?? 0;
    for (let i = starts[feature] ?? 0; i < end; i++) {
      const number = documents[i] ?? 0;
      scores[number] = (scores[number] ?? 0) + worth * (impacts[i] ?? 0);
    }
  }
  if (removedCount > 0) for (const [i, mark] of removed.entries()) if (mark === 1) scores[i] = 0;
  return scores;
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
