/** `|---|:--:|`, the line that makes a table of the one above it. */
export function isDelimiterRow(text) {
  return (
    /^\s{0,3}\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/.test(text) &&
    text.includes("|") &&
    text.length < 10_000
  );
}

/** A bar after a backslash belongs to its cell. */
export function cellCount(text) {
  const row = text
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return row.split(/(?<!\\)\|/).length;
}
