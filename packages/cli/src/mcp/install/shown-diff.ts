import { visibleText } from "../../terminal/visible-text.ts";

/** Lines that are shown of what stays, and so much of each. */
const CONTEXT = 3;
const CONTEXT_CHARACTERS = 40;
/** What is shown on either side of a change within a long line. */
const NEAR_CHARACTERS = 24;
/** Lines that change are whole up to here. */
const MAX_LINE = 160;
const LEFT_OUT = "…";

/**
 * What changes in one place of a text, with a little around it: other entries may hold keys. Fit to be
 * printed.
 */
export function shownDiff(before: string, after: string): string[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const start = sameAtStart(old, next);
  const same = sameAtEnd(old, next, start);
  const end = old.length - same;
  const gone = old.slice(start, end);
  const come = next.slice(start, next.length - same);
  const mark = (sign: string, lines: readonly string[]) =>
    lines.map((line) => `${sign} ${line.split("\t").map(visibleText).join("\t")}`);
  return [
    ...mark(" ", old.slice(Math.max(0, start - CONTEXT), start).map(shortened)),
    ...mark("-", aroundChange(gone, come)),
    ...mark("+", aroundChange(come, gone)),
    ...mark(" ", old.slice(end, end + CONTEXT).map(shortened)),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function shortened(line: string): string {
  return line.length <= CONTEXT_CHARACTERS ? line : line.slice(0, CONTEXT_CHARACTERS) + LEFT_OUT;
}

/** Long lines without what is the same at the beginning and at the end of both. */
function aroundChange(lines: readonly string[], others: readonly string[]): string[] {
  const text = lines.join("\n");
  const other = others.join("\n");
  const start = sameAtStart(text, other);
  const from = start - NEAR_CHARACTERS;
  const to = text.length - sameAtEnd(text, other, start) + NEAR_CHARACTERS;
  let at = 0;
  return lines.map((line) => {
    const first = Math.min(Math.max(0, from - at), line.length);
    const last = Math.max(first, Math.min(line.length, to - at));
    at += line.length + 1;
    if (line.length <= MAX_LINE) return line;
    const [head, tail] = [first > 0 ? LEFT_OUT : "", last < line.length ? LEFT_OUT : ""];
    return head + line.slice(first, last) + tail;
  });
}

type Items = string | readonly string[];

function sameAtStart(one: Items, other: Items): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count++;
  return count;
}

/** Without what is the same at the start. */
function sameAtEnd(one: Items, other: Items, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let count = 0;
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count++;
  return count;
}
