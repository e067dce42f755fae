const END = /\r\n|\n|\r/g;
const NAMES = { "\r\n": "CRLF", "\n": "LF", "\r": "CR", "": "none" };

/** Lines without their ends, and the ends beside them; the last end is empty when there is none. */
export function splitLines(text) {
  const lines = [];
  const ends = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    lines.push(text.slice(start, index));
    ends.push(end);
    start = index + end.length;
  }
  if (start < text.length) {
    lines.push(text.slice(start));
    ends.push("");
  }
  return { lines, ends };
}

export function nameOfEnd(end) {
  return NAMES[end];
}

/** Such as `CRLF (12), LF (1)`. */
export function describeEnds(ends) {
  const counts = new Map();
  for (const end of ends) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].map(([end, count]) => `${NAMES[end]} (${count})`).join(", ") || "no line end";
}
