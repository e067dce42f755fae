/** The selector and the joiner that emoji are made with. */
const EMOJI_SELECTOR = /(?<=\p{Emoji})[\ufe0e\ufe0f]/u;
const EMOJI_JOINER =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/u;

/**
 * What a terminal would obey or a reader would not see: controls (ESC and newlines among them),
 * lone surrogates, line separators, and every code point that is invisible by definition – bidi
 * controls, tag characters, zero-width ones, variation selectors.
 */
const HIDDEN = new RegExp(
  [
    String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb]`,
    `(?!${EMOJI_SELECTOR.source}|${EMOJI_JOINER.source})\\p{Default_Ignorable_Code_Point}`,
  ].join("|"),
  "gu",
);

/**
 * Makes text that somebody else wrote safe to print: the result is one line in reading order, and
 * hidden characters stand as `\u{202e}`.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
