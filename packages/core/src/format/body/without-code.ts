import type { Span } from "../parsed-skill.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

/** The same text, as long as before, with code blocks and code spans blanked out. */
export function withoutCode(body: string): string {
  let fence = "";
  return body
    .split("\n")
    .map((line) => {
      const wasOpen = fence !== "";
      fence = fenceAfter(line, fence);
      return wasOpen || fence !== "" ? " ".repeat(line.length) : withoutSpans(line);
    })
    .join("\n");
}

/** The fence that is open after this line; empty when none is. */
export function fenceAfter(line: string, open: string): string {
  const match = FENCE.exec(line);
  if (match === null) return open;
  const [, marks = "", info = ""] = match;
  if (open === "") return marks.startsWith("`") && info.includes("`") ? "" : marks;
  const closes = marks.startsWith(open) && info.trim() === "";
  return closes ? "" : open;
}

/** A code span starts with some backticks and ends with exactly as many. */
function withoutSpans(line: string): string {
  if (!line.includes("`")) return line;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: marks, index }) => ({ marks, index }));
  const closings = nextOfSameLength(runs.map(({ marks }) => marks.length));
  let result = "";
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const closing = closings[i];
    const opening = runs[i];
    const end = closing === undefined ? undefined : runs[closing];
    if (closing === undefined || opening === undefined || end === undefined) continue;
    const stop = end.index + end.marks.length;
    result += line.slice(from, opening.index) + " ".repeat(stop - opening.index);
    from = stop;
    i = closing;
  }
  return result + line.slice(from);
}

/** For each number the index of the next equal one; found from the end, in one pass. */
function nextOfSameLength(lengths: readonly number[]): (number | undefined)[] {
  const next: (number | undefined)[] = [];
  const seen = new Map<number, number>();
  for (let i = lengths.length - 1; i >= 0; i--) {
    const length = lengths[i] ?? 0;
    next[i] = seen.get(length);
    seen.set(length, i);
  }
  return next;
}

/**
 * HTML comments outside of code, as offsets into the body. One that is never closed hides everything
 * after it; a fence inside a comment opens nothing.
 */
export function htmlComments(body: string): Span[] {
  const comments: Span[] = [];
  let fence = "";
  let line = 0;
  while (line < body.length && body.includes("<!--", line)) {
    const newline = body.indexOf("\n", line);
    const end = newline === -1 ? body.length : newline;
    const text = body.slice(line, end);
    const wasOpen = fence !== "";
    fence = fenceAfter(text, fence);
    const start = wasOpen || fence !== "" ? -1 : withoutCode(text).indexOf("<!--");
    if (start === -1) {
      line = end + 1;
      continue;
    }
    const close = body.indexOf("-->", line + start + 4);
    const stop = close === -1 ? body.length : close + 3;
    comments.push({ start: line + start, end: stop });
    line = stop;
  }
  return comments;
}
