import { difference } from "./difference.mjs";
import { kindOfChange } from "./normalise.mjs";
import { describeEnds, nameOfEnd, splitLines } from "./split-lines.mjs";

/**
 * Compares two texts line by line. `notes` are differences of the files as a whole: byte order mark,
 * encoding, line ends. They count as differences unless white space is ignored.
 */
export function compareTexts(a, b, keyOf, ignoreSpace) {
  const [left, right] = [splitLines(a.text), splitLines(b.text)];
  const numbers = new Map();
  const numberOf = (line) => {
    const key = keyOf(line);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  const { runs, isRough } = difference(left.lines.map(numberOf), right.lines.map(numberOf));
  const hunks = changesOf(runs);
  const notes = ignoreSpace ? [] : notesOf(a, b, left, right, runs);
  return {
    left: left.lines,
    right: right.lines,
    changes: hunks,
    notes,
    isRough,
    counts: countsOf(hunks, left.lines, right.lines),
    isSame: hunks.length === 0 && notes.length === 0,
  };
}

/** Removed lines together with the added ones that stand in their place. */
function changesOf(runs) {
  const changes = [];
  for (const { kind, a, b, length } of runs) {
    if (kind === "same") continue;
    const last = changes.at(-1);
    const follows = last !== undefined && last.a + last.removed === a && last.b + last.added === b;
    const change = follows ? last : { a, b, removed: 0, added: 0 };
    change[kind] += length;
    if (!follows) changes.push(change);
  }
  return changes;
}

function countsOf(changes, left, right) {
  const counts = { changed: 0, removed: 0, added: 0, same: left.length, kinds: {} };
  for (const { a, b, removed, added } of changes) {
    const pairs = Math.min(removed, added);
    counts.changed += pairs;
    counts.removed += removed - pairs;
    counts.added += added - pairs;
    counts.same -= removed;
    if (removed !== added) continue;
    for (let i = 0; i < pairs; i++) {
      const kind = kindOfChange(left[a + i], right[b + i]);
      if (kind !== undefined) counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1;
    }
  }
  return counts;
}

function notesOf(a, b, left, right, runs) {
  const notes = [];
  if (a.encoding !== b.encoding) notes.push(`encoding: ${a.encoding} and ${b.encoding}`);
  if (a.hasMark !== b.hasMark) {
    notes.push(`byte order mark (BOM): only the ${a.hasMark ? "first" : "second"} file has one`);
  }
  let [count, first] = [0, undefined];
  for (const { kind, a: x, b: y, length } of runs) {
    if (kind !== "same") continue;
    for (let i = 0; i < length; i++) {
      const [endA, endB] = [left.ends[x + i], right.ends[y + i]];
      if (endA === endB || endA === "" || endB === "") continue;
      first ??= `line ${x + i + 1}: ${nameOfEnd(endA)} and ${nameOfEnd(endB)}`;
      count++;
    }
  }
  const [kindsA, kindsB] = [left, right].map(
    ({ ends }) => new Set(ends.filter((end) => end !== "")),
  );
  const all = new Set([...kindsA, ...kindsB]).size;
  const isOther = kindsA.size > 0 && kindsB.size > 0 && (kindsA.size < all || kindsB.size < all);
  if (count > 0 || isOther) {
    const only = `; ${count} lines differ in nothing but their end, the first is ${first}`;
    notes.push(
      `line ends: ${describeEnds(left.ends)} and ${describeEnds(right.ends)}${count > 0 ? only : ""}`,
    );
  }
  const hasLast = ({ ends }) => ends.length === 0 || ends.at(-1) !== "";
  if (hasLast(left) !== hasLast(right)) {
    notes.push(`end of file: the ${hasLast(left) ? "second" : "first"} file has no line end there`);
  }
  return notes;
}
