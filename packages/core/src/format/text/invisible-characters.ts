/**
 * Characters nobody sees and models read: language tags (a hidden alphabet), and the controls that
 * make a text show in another order than it is.
 */
export const SMUGGLING = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/u;

/**
 * Invisible but used in real writing – Persian, Indic scripts, line breaking – and between the parts
 * of an emoji, where they are left out here.
 */
export const ZERO_WIDTH = new RegExp(
  [
    "[\\u00AD\\u061C\\u180E\\u200B\\u200C\\u200E\\u200F\\u2060-\\u2064\\uFEFF\\u{E0100}-\\u{E01EF}]",
    "(?<!\\p{Extended_Pictographic}|\\uFE0F|\\p{Emoji_Modifier})\\u200D",
    "\\u200D(?!\\p{Extended_Pictographic})",
  ].join("|"),
  "u",
);

/** C0 and C1 controls except tab and newline; a terminal obeys them. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/u;

/** Found in every text that holds any of the above, or an escape that may stand for one. */
export const MAY_HIDE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\udb40|\\[^nt"\\]/;

/** `U+202E` for the character at an index. */
export function characterName(text: string, index: number): string {
  return `U+${(text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
