/** Columns that text takes in a terminal. All functions expect text without hidden characters. */

/** Made when it is first needed: that takes longer than many a command. */
let graphemes: Intl.Segmenter | undefined;

const ASCII = /^[\x20-\x7e]*$/;
/** Latin, Greek, Cyrillic, punctuation, arrows, kana, Chinese: nothing that joins its neighbour. */
const SEPARATE =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u2500-\u259f\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uff01-\uff60]*$/;

/** East Asian wide and fullwidth blocks (UAX 11, coarsely) and what is an emoji by default. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** UTF-16 units per column that are looked at, so that a line of a megabyte costs nothing. */
const UNITS_PER_COLUMN = 8;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of splitGraphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** What a reader takes for single characters. */
export function splitGraphemes(text: string): string[] {
  if (SEPARATE.test(text)) return Array.from(text);
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** At most `width` columns, the last one an ellipsis when something was cut. */
export function truncateWidth(text: string, width: number): string {
  if (width <= 0) return "";
  if (text.length <= width && displayWidth(text) <= width) return text;
  const start = text.slice(0, width * UNITS_PER_COLUMN);
  if (start.length === text.length && displayWidth(text) <= width) return text;
  return `${splitAtWidth(start, width - 1)[0].trimEnd()}…`;
}

/** The longest beginning that fits into `width` columns, and the rest. */
export function splitAtWidth(text: string, width: number): readonly [string, string] {
  let used = 0;
  let length = 0;
  for (const grapheme of splitGraphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > width) break;
    length += grapheme.length;
  }
  return [text.slice(0, length), text.slice(length)];
}

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return ZERO.test(grapheme) ? 0 : 1;
}
