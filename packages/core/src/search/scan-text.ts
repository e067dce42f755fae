import { FUNCTION_WORDS } from "./chinese-words.ts";
import { hashRange, UNSPACED } from "./feature-hash.ts";
import type { Lexicon, Word } from "./lexicon.ts";

export interface TextSink {
  /** A run of letters and digits. */
  word(word: Word): void;
  /** Two neighbouring characters of a script that puts no spaces between words. */
  unspaced(hash: number): void;
  /** The end of a line. */
  lineEnd?(): void;
}

const NONE = 0;
const LETTER = 1;
const UNSPACED_LETTER = 2;
const HASH_START = 0x811c9dc5;
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
  let hash = HASH_START;
  let check = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0;
    const next = code < 128 ? (ASCII_KINDS[code] ?? NONE) : kindOf(code);
    if (next !== kind) {
      if (kind === LETTER) sink.word(lexicon.wordAt(text, start, i, hash >>> 0, check >>> 0));
      else if (kind === UNSPACED_LETTER) scanUnspaced(text.slice(start, i), sink);
      start = i;
      kind = next;
      hash = HASH_START;
      check = 0;
    }
    if (next === LETTER) {
      hash = Math.imul(hash ^ code, 0x01000193);
      check = (Math.imul(check, 31) + code) | 0;
    } else if (code === 10) sink.lineEnd?.();
  }
}

function scanUnspaced(run: string, sink: TextSink): void {
  for (const piece of run.split(FUNCTION_WORDS)) {
    for (let i = 0; i + 2 <= piece.length; i++) sink.unspaced(hashRange(piece, i, i + 2, UNSPACED));
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
