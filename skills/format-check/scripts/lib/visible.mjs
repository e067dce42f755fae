const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
const MAX_SHOWN = 60;

/** What comes from a file as it may be printed: on one line, nothing hidden, not too long. */
export function visible(text, most = MAX_SHOWN) {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return shown.replace(HIDDEN, (mark) => `\\u{${mark.codePointAt(0).toString(16)}}`);
}
