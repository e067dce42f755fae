import { englishWords, toSimplified } from "./chinese-words.ts";
import { spellingsNear } from "./document-features.ts";
import { hashPair } from "./feature-hash.ts";
import type { Lexicon, Word } from "./lexicon.ts";
import { findFeature, wordsNear } from "./postings.ts";
import { scanText } from "./scan-text.ts";
import type { Segment } from "./postings.ts";

export interface QueryFeature {
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
export function queryFeatures(
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
