import { GRAM, hashRange, hashText, WORD } from "./feature-hash.ts";
import { SAME_WORDS, stemEnglish, STOP_WORDS } from "./stem-english.ts";

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
const FIRST_SLOTS = 1024;
const NO_WORD: Word = { text: "", stems: [], grams: [] };

/**
 * What runs of letters and digits mean, remembered by two hashes of them: nearly all words of a
 * catalog were met before, and so cost no string.
 */
export class Lexicon {
  #slots: (Word | undefined)[] = [];
  #hashes = new Uint32Array(0);
  #checks = new Uint32Array(0);
  #size = 0;

  constructor() {
    this.#reset(FIRST_SLOTS);
  }

  wordOf(raw: string): Word {
    return raw.length > LONGEST_WORD ? NO_WORD : analyze(raw);
  }

  wordAt(text: string, start: number, end: number, hash: number, check: number): Word {
    const mask = this.#hashes.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const word = this.#slots[slot];
      if (word === undefined) break;
      if (this.#hashes[slot] === hash && this.#checks[slot] === check) return word;
      slot = (slot + 1) & mask;
    }
    const word = this.wordOf(text.slice(start, end));
    this.#insert(slot, hash, check, word);
    if (this.#size * 2 > mask) this.#grow();
    return word;
  }

  #insert(slot: number, hash: number, check: number, word: Word): void {
    this.#slots[slot] = word;
    this.#hashes[slot] = hash;
    this.#checks[slot] = check;
    this.#size++;
  }

  #grow(): void {
    const [slots, hashes, checks] = [this.#slots, this.#hashes, this.#checks];
    if (this.#size >= MOST_REMEMBERED) return this.#reset(FIRST_SLOTS);
    this.#reset(slots.length * 2);
    const mask = this.#hashes.length - 1;
    for (const [i, word] of slots.entries()) {
      if (word === undefined) continue;
      const hash = hashes[i] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.#slots[slot] !== undefined) slot = (slot + 1) & mask;
      this.#insert(slot, hash, checks[i] ?? 0, word);
    }
  }

  #reset(slots: number): void {
    this.#slots = Array.from({ length: slots });
    this.#hashes = new Uint32Array(slots);
    this.#checks = new Uint32Array(slots);
    this.#size = 0;
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

const EMPTY = -1;

/** Numbers 32-bit hashes in the order of their arrival. */
export class HashTable {
  size = 0;
  /** By number; longer than `size`. */
  hashes: Uint32Array;
  #slots: Int32Array;
  #shift: number;

  /** Has room for half as many as `2 ** bits` before it grows. */
  constructor(bits: number) {
    this.#slots = new Int32Array(2 ** bits).fill(EMPTY);
    this.hashes = new Uint32Array(2 ** (bits - 1));
    this.#shift = 32 - bits;
  }

  numberOf(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = Math.imul(hash, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const found = slots[slot] ?? EMPTY;
      if (found === EMPTY) return this.#insert(hash, slot);
      if (this.hashes[found] === hash) return found;
      slot = (slot + 1) & mask;
    }
  }

  clear(): void {
    this.#slots.fill(EMPTY);
    this.size = 0;
  }

  #insert(hash: number, slot: number): number {
    if (this.size === this.hashes.length) {
      this.#grow();
      return this.numberOf(hash);
    }
    this.#slots[slot] = this.size;
    this.hashes[this.size] = hash;
    return this.size++;
  }

  #grow(): void {
    const old = this.hashes;
    this.#shift--;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    this.hashes = new Uint32Array(old.length * 2);
    this.size = 0;
    for (const hash of old) this.numberOf(hash);
  }
}
