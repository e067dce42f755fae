/** Control characters could change what a terminal shows; marks of direction what a person reads. */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u00a0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/** A text as it may be printed: what cannot be seen is written as `\u{…}`; tabs and line ends stay. */
export function visible(text) {
  return text.replace(HIDDEN, (mark) =>
    mark === "\t" || mark === "\n" ? mark : `\\u{${mark.codePointAt(0).toString(16)}}`,
  );
}

/** One line of at most so many characters, with the place that matters in it. */
export function shortened(line, width, at = 0) {
  if (line.length <= width) return visible(line);
  const start = at < width - 40 ? 0 : at - 40;
  const end = start + width;
  const shown = visible(line.slice(start, end));
  return `${start > 0 ? "…" : ""}${shown}${end < line.length ? "…" : ""} (${line.length} characters)`;
}
