/** The selector and the joiner that emoji are made with. */
const EMOJI =
  /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/u;

/**
 * What a terminal would obey or a reader would not see: controls, lone surrogates, separators, every
 * code point that is invisible by definition (bidi controls, tags, zero-width ones, selectors), blanks
 * that are no space, and characters without a meaning of their own.
 */
const HIDDEN_SOURCE = [
  String.raw`[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufff9-\ufffc\u2800]`,
  String.raw`(?! )\p{Zs}`,
  String.raw`(?!${EMOJI.source})[\p{Default_Ignorable_Code_Point}\p{Cf}]`,
].join("|");

const HIDDEN = new RegExp(HIDDEN_SOURCE, "gu");
const HIDDEN_IN_LINES = new RegExp(`(?![\\n\\t])(?:${HIDDEN_SOURCE})`, "gu");
const HIDDEN_IN_JSON = new RegExp(`(?![\\n\\t\\r])(?:${HIDDEN_SOURCE})`, "u");

/** Letters that run from right to left and take the digits and signs beside them along. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/** Blanks that push what follows out of sight. Tried only where a gap begins: time stays linear. */
const LONG_GAP = /(?<![ \t])[ \t]{60,}/g;

/** One line in reading order: what is hidden, and what would change the order, stands as `\u{…}`. */
export function visibleLine(text: string): string {
  return withoutGaps(text).replace(HIDDEN, escaped).replace(RIGHT_TO_LEFT, escaped);
}

/** Lines and tabs stay; what is hidden stands as `\u{…}`. */
export function visibleLines(text: string): string {
  return withoutGaps(text).replace(HIDDEN_IN_LINES, escaped);
}

/** Whether a person would not see all of a text. Newlines and tabs are seen, quoted or as they are. */
export function hidesSomething(text: string): boolean {
  return HIDDEN_IN_JSON.test(text) || text.search(LONG_GAP) >= 0;
}

/** The line of a file, from 1, in which something is hidden. A byte order mark at its start is not. */
export function firstHiddenLine(text: string): number | undefined {
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const places = [plain.search(HIDDEN_IN_LINES), plain.search(LONG_GAP)];
  const index = Math.min(...places.map((place) => (place < 0 ? Infinity : place)));
  return index === Infinity ? undefined : plain.slice(0, index).split("\n").length;
}

function withoutGaps(text: string): string {
  return text.replace(LONG_GAP, (gap) => `\\u{20}×${gap.length}`);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}
