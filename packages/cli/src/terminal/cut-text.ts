import { displayWidth, splitGraphemes } from "./display-width.ts";

/** UTF-16 units per column that are looked at, so that a line of a megabyte costs nothing. */
const UNITS_PER_COLUMN = 8;

/** At most so many columns of a text that went through `visibleText`; an ellipsis says what is gone. */
export function cutText(text: string, width: number): string {
  if (width <= 0) return "";
  if (text.length <= width && displayWidth(text) <= width) return text;
  const looked = text.slice(0, width * UNITS_PER_COLUMN);
  if (looked.length === text.length && displayWidth(text) <= width) return text;
  return `${splitAt(looked, width - 1)[0].trimEnd()}…`;
}

/** The longest beginning that fits into so many columns, and the rest. */
export function splitAt(text: string, width: number): readonly [string, string] {
  let used = 0;
  let length = 0;
  for (const grapheme of splitGraphemes(text)) {
    used += displayWidth(grapheme);
    if (used > width) break;
    length += grapheme.length;
  }
  return [text.slice(0, length), text.slice(length)];
}
