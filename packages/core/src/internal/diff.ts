import { plural, truncate, visibleLine, visibleLines } from "./text.ts";

export interface DiffOptions {
  /** Before the path in the header: `a` and `b` unless given. Undefined leaves the header out. */
  readonly labels?: { readonly before: string; readonly after: string } | null;
  /** Unchanged lines around a change. */
  readonly context?: number;
  /** For reading rather than applying: hidden characters shown, long lines and long diffs cut. */
  readonly maxLines?: number;
  readonly maxLineLength?: number;
  /** The last line when lines were left out. */
  readonly note?: (left: number) => string;
}

export interface UnifiedDiff {
  /** Empty when nothing changed. */
  readonly text: string;
  /** Whether lines were left out, which the last line then says, or shortened. */
  readonly isCut: boolean;
}

/** More edits than this are shown as a replacement: the search takes time that grows with them. */
const MAX_EDITS = 400;
const NO_NEWLINE = "\\ No newline at end of file";

/** What changed between two texts, as `diff -u` prints it; undefined stands for no file. */
export async function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  options: DiffOptions = {},
): Promise<UnifiedDiff> {
  if (before === after) return { text: "", isCut: false };
  const { labels = { before: "a", after: "b" }, maxLines = Number.POSITIVE_INFINITY } = options;
  const { note = (left: number) => `… ${plural(left, "more line")}` } = options;
  const all = await hunkLines(before ?? "", after ?? "", options.context ?? 3);
  const name = (label: string, text: string | undefined) =>
    text === undefined ? "/dev/null" : `${label}/${visibleLine(path)}`;
  const head =
    labels === null
      ? []
      : [`--- ${name(labels.before, before)}`, `+++ ${name(labels.after, after)}`];
  const left = Math.max(0, all.length - maxLines);
  const kept = (left === 0 ? all : all.slice(0, maxLines)).map((line) => shown(line, options));
  const isShortened = kept.some(({ isCut }) => isCut);
  const text = [
    ...head,
    ...kept.map((line) => line.text),
    ...(left === 0 ? [] : [note(left)]),
  ].join("\n");
  return { text: `${text}\n`, isCut: left > 0 || isShortened };
}

async function hunkLines(before: string, after: string, context: number): Promise<string[]> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, "", "", {
    context,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return replacement(before, after);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** Everything between the common beginning and the common end. */
function replacement(before: string, after: string): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = fresh.slice(start, fresh.length - end);
  return [
    `@@ -${range(start + 1, removed.length)} +${range(start + 1, added.length)} @@`,
    ...removed.flatMap((line) => signed("-", line)),
    ...added.flatMap((line) => signed("+", line)),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function signed(sign: string, line: string): string[] {
  return line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, NO_NEWLINE];
}

/** A range without lines names the line before it. */
function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
}

function shown(line: string, { maxLines, maxLineLength = Number.POSITIVE_INFINITY }: DiffOptions) {
  const isForReading = maxLines !== undefined || maxLineLength < Number.POSITIVE_INFINITY;
  if (!isForReading) return { text: line, isCut: false };
  // Cut first: what is left out need not be looked at.
  const visible = visibleLines(line.slice(0, maxLineLength + 1));
  return { text: truncate(visible, maxLineLength), isCut: visible.length > maxLineLength };
}
