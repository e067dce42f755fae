import { FUNCTION_WORDS } from "./chinese-words.ts";
import { SAME_WORDS, stemEnglish, STOP_WORDS } from "./stem-english.ts";

/**
 * An index knows its features – words, word pairs, pieces of words – by 32-bit hashes, so that it
 * can be loaded without making a string of each. Two features that share one by chance only share a
 * score. The kinds differ in their seed.
 */
const WORD = 0x811c9dc5;
/** A word of a name or description again, for what was spelled almost like it. */
export const LEAN_WORD = 0x2f0b4a91;
/** A word of what a document is not for. */
export const AGAINST = 0x3d9f06b7;
const GRAM = 0x51ab3f07;
const UNSPACED = 0x7c1d90e3;
export const NEIGHBOUR = 0x1b56c4e9;

export function hashText(text: string, seed: number): number {
  return hashRange(text, 0, text.length, seed);
}

function hashRange(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** The text as it is without one of its characters. */
export function hashWithout(text: string, at: number, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) {
    if (i !== at) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return mixed(hash);
}

export function hashPair(first: number, second: number): number {
  return mixed(Math.imul(first, 31) ^ second ^ 0x68e31da4);
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

export interface Word {
  /** In small letters, without accents. */
  readonly text: string;
  /** The word itself and, of `camelCase`, its parts; empty for words that say nothing. */
  readonly stems: readonly number[];
  /** Every piece of four letters. */
  readonly grams: readonly number[];
}

/** Longer runs are data, not words. */
const LONGEST_WORD = 64;
const GRAM_LENGTH = 4;
/** So many words are remembered before all are forgotten, which bounds the memory. */
const MOST_REMEMBERED = 100_000;
const NO_WORD: Word = { text: "", stems: [], grams: [] };

/** What runs of letters and digits mean. Nearly all words of a catalog were met before. */
export class Lexicon {
  readonly #words = new Map<string, Word>();

  wordOf(raw: string): Word {
    if (raw.length > LONGEST_WORD) return NO_WORD;
    const known = this.#words.get(raw);
    if (known !== undefined) return known;
    const word = analyze(raw);
    if (this.#words.size >= MOST_REMEMBERED) this.#words.clear();
    this.#words.set(raw, word);
    return word;
  }
}

function analyze(raw: string): Word {
  const text = folded(raw);
  if (text === "" || STOP_WORDS.has(text)) return NO_WORD;
  const stems = new Set([stemHash(text)]);
  for (const part of partsOf(raw)) {
    const word = folded(part);
    if (word.length > 1 && !STOP_WORDS.has(word)) stems.add(stemHash(word));
  }
  return { text, stems: [...stems], grams: gramsOf(text) };
}

function folded(raw: string): string {
  const lower = raw.toLowerCase();
  // eslint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}+/gu, "");
}

function stemHash(word: string): number {
  return hashText(stemEnglish(SAME_WORDS.get(word) ?? word), WORD);
}

/** The words of `camelCase` and `HTTPServer`, and `python` of `python3`. */
function partsOf(raw: string): string[] {
  const parts = raw.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu) ?? [];
  return parts.length > 1 ? parts.filter((part) => part.length > 2) : [];
}

function gramsOf(text: string): number[] {
  const grams: number[] = [];
  for (let i = 0; i + GRAM_LENGTH <= text.length; i++) {
    grams.push(hashRange(text, i, i + GRAM_LENGTH, GRAM));
  }
  return grams;
}

export interface TextSink {
  /** A run of letters and digits. */
  word(word: Word): unknown;
  /** Two neighbouring characters of a script that puts no spaces between words. */
  unspaced(hash: number, text?: string): unknown;
  /** The end of a line. */
  lineEnd?(): void;
}

const NONE = 0;
const LETTER = 1;
const UNSPACED_LETTER = 2;
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? LETTER : NONE,
);

/**
 * Tells the sink what it meets, in order. Scripts without spaces – Chinese, Japanese, Korean, Thai
 * and the like – are taken in pairs of characters, which needs no dictionary and finds parts of
 * compounds. Reads up to `most` characters; a slice of a text would be slower to read.
 */
export function scanText(text: string, lexicon: Lexicon, sink: TextSink, most = text.length): void {
  const end = Math.min(most, text.length);
  let start = 0;
  let kind = NONE;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0;
    const next = code < 128 ? (ASCII_KINDS[code] ?? NONE) : kindOf(code);
    if (next !== kind) {
      if (kind === LETTER) sink.word(lexicon.wordOf(text.slice(start, i)));
      else if (kind === UNSPACED_LETTER) scanUnspaced(text.slice(start, i), sink);
      start = i;
      kind = next;
    }
    if (code === 10) sink.lineEnd?.();
  }
}

function scanUnspaced(run: string, sink: TextSink): void {
  for (const piece of run.split(FUNCTION_WORDS)) {
    for (let i = 0; i + 2 <= piece.length; i++) {
      sink.unspaced(hashRange(piece, i, i + 2, UNSPACED), piece.slice(i, i + 2));
    }
  }
}

function kindOf(code: number): number {
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return NONE;
  if (code < 0x0e00) return LETTER;
  if (code < 0x2000) return isUnspacedAsian(code) ? UNSPACED_LETTER : LETTER;
  if (code < 0x3040) return NONE;
  // Above: the unpaired and the paired surrogates, private use, full-width forms.
  if (code < 0xd800) return UNSPACED_LETTER;
  if (code >= 0xf900 && code < 0xfb00) return UNSPACED_LETTER;
  return isFullWidthLetter(code) ? LETTER : NONE;
}

/** Thai, Lao, Tibetan, Burmese, Khmer. */
function isUnspacedAsian(code: number): boolean {
  return code < 0x10a0 || (code >= 0x1780 && code < 0x1800);
}

function isFullWidthLetter(code: number): boolean {
  return (
    (code >= 0xff10 && code <= 0xff19) ||
    (code >= 0xff21 && code <= 0xff3a) ||
    (code >= 0xff41 && code <= 0xff5a)
  );
}
