import { markWords } from "./mark-words.mjs";
import { kindOfChange } from "./normalise.mjs";
import { shortened } from "./visible.mjs";

const WIDTH = 500;

/** `2 lines changed, 1 added, 3 removed; 40 the same`. */
export function describeCounts({ changed, added, removed, same, kinds }) {
  const parts = [
    changed > 0 && `${lines(changed)} changed`,
    added > 0 && `${lines(added)} added`,
    removed > 0 && `${lines(removed)} removed`,
  ].filter((part) => part !== false);
  const named = Object.entries(kinds).map(([kind, count]) => `${count} only in ${kind}`);
  const all = parts.length === 0 ? "no line differs" : parts.join(", ");
  return `${all}${named.length === 0 ? "" : ` (${named.join(", ")})`}; ${lines(same)} the same`;
}

export function lines(count) {
  return `${count} line${count === 1 ? "" : "s"}`;
}

/** The lines of a report, one by one, so that only what is wanted is made. */
export function* reportLines(compared, { context, granularity, keyOf, isWhole }) {
  const { left, right, changes } = compared;
  const width = isWhole ? Infinity : WIDTH;
  let shownTo = 0;
  for (const [i, change] of changes.entries()) {
    const from = Math.max(shownTo, change.a - context);
    const isApart = i === 0 || from > shownTo;
    if (isApart) yield headOf(change);
    for (let x = from; x < change.a; x++) yield `  ${shortened(left[x], width)}`;
    yield* changeLines(left, right, change, { granularity, keyOf, width });
    const end = change.a + change.removed;
    const next = changes[i + 1]?.a ?? left.length;
    shownTo = Math.min(end + context, next);
    for (let x = end; x < shownTo; x++) yield `  ${shortened(left[x], width)}`;
  }
}

function headOf({ a, b, removed, added }) {
  return `@@ first file ${place(a, removed)}, second file ${place(b, added)} @@`;
}

function place(start, count) {
  if (count === 0) return start === 0 ? "at its beginning" : `after line ${start}`;
  return count === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${start + count}`;
}

function* changeLines(left, right, { a, b, removed, added }, { granularity, keyOf, width }) {
  const [old, fresh] = [left.slice(a, a + removed), right.slice(b, b + added)];
  if (granularity !== undefined && removed > 0 && added > 0) {
    const marked = markWords(old.join("\n"), fresh.join("\n"), granularity, keyOf);
    if (marked !== undefined) {
      const at = marked.search(/\[-|\{\+/);
      for (const line of marked.split("\n")) yield `~ ${shortenedMarks(line, width, at)}`;
      yield* noteOn(old, fresh);
      return;
    }
    yield `  (too long to be compared by words)`;
  }
  const at = removed === 1 && added === 1 ? firstDifference(old[0], fresh[0]) : 0;
  for (const line of old) yield `- ${shortened(line, width, at)}`;
  for (const line of fresh) yield `+ ${shortened(line, width, at)}`;
  yield* noteOn(old, fresh);
}

/** Differences that nobody sees are named. */
function* noteOn(old, fresh) {
  if (old.length !== fresh.length) return;
  const kinds = old.map((line, i) => kindOfChange(line, fresh[i]));
  if (kinds[0] !== undefined && kinds.every((kind) => kind === kinds[0])) {
    yield `  (only ${kinds[0]} differs)`;
  }
}

function shortenedMarks(line, width, at) {
  if (line.length <= width) return line;
  const start = at < width - 40 ? 0 : at - 40;
  return `${start > 0 ? "…" : ""}${line.slice(start, start + width)}… (${line.length} characters)`;
}

function firstDifference(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
