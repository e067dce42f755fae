import { diff3Merge } from "node-diff3";

const MAX_TEXT_BYTES = 1024 * 1024;

type MergedText =
  | { readonly ok: true; readonly text: string }
  | Extract<MergedLines, { ok: false }>;

/** The text of a file; undefined for one that is binary or too large to be compared by lines. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Joins two changes of a text. When every side has one kind of line ending that kind is merged like
 * a property of the whole, so that an editor that turned all of them is no conflict.
 */
export function mergeText(base: string, local: string, incoming: string): MergedText {
  const kinds = [base, local, incoming].map(lineEnding);
  if (kinds.includes("mixed")) return joined(mergeLines(...linesOf(base, local, incoming)));
  const [baseKind, localKind, incomingKind] = kinds;
  const plain = [base, local, incoming].map((text) => text.replaceAll("\r\n", "\n"));
  const merged = joined(mergeLines(...linesOf(...(plain as [string, string, string]))));
  if (!merged.ok) return merged;
  const kind = localKind === baseKind || localKind === "none" ? incomingKind : localKind;
  return kind === "crlf" ? { ok: true, text: merged.text.replaceAll("\n", "\r\n") } : merged;
}

/** Each with its ending; only the last may have none. */
export function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function linesOf(...texts: [string, string, string]): [string[], string[], string[]] {
  return [toLines(texts[0]), toLines(texts[1]), toLines(texts[2])];
}

function joined(merged: MergedLines): MergedText {
  return merged.ok ? { ok: true, text: merged.lines.join("") } : merged;
}

function lineEnding(text: string): "crlf" | "lf" | "mixed" | "none" {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  if (all === 0) return "none";
  return crlf === 0 ? "lf" : crlf === all ? "crlf" : "mixed";
}

type MergedLines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly reason: "same-lines" | "too-large" };

/**
 * Joins what two sides did to the lines of a text. Changes to the same or to touching lines are a
 * conflict, unless they are the same change. Lines that all three have once part the texts into
 * short pieces, which keeps the time in bounds and does not change the outcome.
 */
function mergeLines(
  base: readonly string[],
  local: readonly string[],
  incoming: readonly string[],
): MergedLines {
  const lines: string[] = [];
  const end = { base: base.length, local: local.length, incoming: incoming.length };
  let from = { base: 0, local: 0, incoming: 0 };
  let cost = 0;
  for (const to of [...anchorsOf(base, local, incoming), end]) {
    const pieces = {
      base: base.slice(from.base, to.base),
      local: local.slice(from.local, to.local),
      incoming: incoming.slice(from.incoming, to.incoming),
    };
    cost +=
      comparisonCost(pieces.base, pieces.local) + comparisonCost(pieces.base, pieces.incoming);
    if (cost > MAX_COST) return { ok: false, reason: "too-large" };
    for (const part of diff3Merge(pieces.local, pieces.base, pieces.incoming)) {
      if (part.ok === undefined) return { ok: false, reason: "same-lines" };
      for (const line of part.ok) lines.push(line);
    }
    const anchor = base[to.base];
    if (anchor !== undefined) lines.push(anchor);
    from = { base: to.base + 1, local: to.local + 1, incoming: to.incoming + 1 };
  }
  return { ok: true, lines };
}

/** About a second of comparing. */
const MAX_COST = 300_000_000;

/** So many lines at once would not fit on the stack of the library that compares them. */
const MAX_LINES = 50_000;

/** An upper bound of the steps that comparing two lists of lines takes: many equal lines are dear. */
function comparisonCost(before: readonly string[], after: readonly string[]): number {
  if (before.length > MAX_LINES || after.length > MAX_LINES) return Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const line of after) counts.set(line, (counts.get(line) ?? 0) + 1);
  let matches = 0;
  for (const line of before) matches += counts.get(line) ?? 0;
  return matches * Math.min(before.length, after.length);
}

/** A line that stands in all three texts, by its index in each. */
interface Anchor {
  readonly base: number;
  readonly local: number;
  readonly incoming: number;
}

/** Lines that each text has exactly once, as many as stand in the same order in all. */
function anchorsOf(
  base: readonly string[],
  local: readonly string[],
  incoming: readonly string[],
): Anchor[] {
  const inLocal = uniqueLines(local);
  const inIncoming = uniqueLines(incoming);
  const common: Anchor[] = [];
  for (const [line, index] of uniqueLines(base)) {
    const [l, i] = [inLocal.get(line), inIncoming.get(line)];
    if (l !== undefined && i !== undefined) common.push({ base: index, local: l, incoming: i });
  }
  const inOrder = longestRising(common, ({ local }) => local);
  return longestRising(inOrder, ({ incoming }) => incoming);
}

/** By text, in the order they stand. */
function uniqueLines(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  lines.forEach((line, index) => {
    if (found.has(line)) repeated.add(line);
    else found.set(line, index);
  });
  for (const line of repeated) found.delete(line);
  return found;
}

/** The longest choice of items whose values rise, by patience sorting. */
function longestRising<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item[] {
  const values = items.map(valueOf);
  /** For each length, where the choice with the lowest end ends. */
  const ends: number[] = [];
  const previous: number[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const chosen: Item[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number) {
    chosen.push(items[index] as Item);
  }
  return chosen.reverse();
}
