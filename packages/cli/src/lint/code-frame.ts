import type { Diagnostic } from "@skillwright/core";
import { displayWidth, splitGraphemes, visibleLine } from "@skillwright/core/internal";
import type { Colors } from "../terminal/colors.ts";

/** A source line as shown, and the columns to underline in it. */
interface FittedLine {
  readonly text: string;
  readonly before: number;
  readonly marked: number;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly start: number;
}

const TAB = "    ";
const CUT = "…";

/** How many UTF-16 units per column are looked at, so that a line of a megabyte costs nothing. */
const UNITS_PER_COLUMN = 4;

/**
 * Shows a line in at most `width` columns, cut around the UTF-16 range [from, to), which is marked
 * by at least one column even when it is empty or after the end.
 */
export function fitLine(line: string, from: number, to: number, width: number): FittedLine {
  const start = Math.min(from, line.length);
  const reach = width * UNITS_PER_COLUMN;
  const sliceStart = Math.max(0, start - reach);
  const sliceEnd = Math.min(line.length, start + reach);
  const cells = toCells(line.slice(sliceStart, sliceEnd), sliceStart);

  const first = firstCellEndingAfter(cells, start, sliceEnd);
  const last = Math.max(first + 1, cells.filter((cell) => cell.start < to).length);
  const caret = first === cells.length ? 1 : 0;
  const isWhole = sliceStart === 0 && sliceEnd === line.length;
  const [left, right] =
    isWhole && widthOf(cells) + caret <= width
      ? [0, cells.length]
      : chooseWindow(cells, first, last, width - 2 * CUT.length);

  const cutBefore = left > 0 || sliceStart > 0 ? CUT : "";
  const cutAfter = right < cells.length || sliceEnd < line.length ? CUT : "";
  const shown = cells.slice(left, right).map((cell) => cell.text);
  return {
    text: cutBefore + shown.join("") + cutAfter,
    before: cutBefore.length + widthOf(cells.slice(left, first)),
    marked: Math.max(1, from < to ? widthOf(cells.slice(first, Math.min(last, right))) : 1),
  };
}

function toCells(text: string, offset: number): Cell[] {
  let start = offset;
  return splitGraphemes(text).map((grapheme) => {
    const shown = grapheme === "\t" ? TAB : visibleLine(grapheme);
    const cell = { text: shown, width: displayWidth(shown), start };
    start += grapheme.length;
    return cell;
  });
}

function firstCellEndingAfter(cells: readonly Cell[], position: number, end: number): number {
  const index = cells.findIndex((_, i) => (cells[i + 1]?.start ?? end) > position);
  return index === -1 ? cells.length : index;
}

/** Half of the free columns go before the mark; what is not needed after it goes before it too. */
function chooseWindow(
  cells: readonly Cell[],
  first: number,
  last: number,
  columns: number,
): [left: number, right: number] {
  const marked = Math.min(columns, Math.max(1, widthOf(cells.slice(first, last))));
  let used = first === cells.length ? 1 : 0;
  let left = first;
  const growLeft = (limit: number): void => {
    for (let cell = cells[left - 1]; cell && used + cell.width <= limit; cell = cells[left - 1]) {
      used += cell.width;
      left -= 1;
    }
  };
  growLeft(Math.floor((columns - marked) / 2));
  let right = first;
  for (let cell = cells[right]; cell && used + cell.width <= columns; cell = cells[right]) {
    used += cell.width;
    right += 1;
  }
  growLeft(columns);
  return [left, Math.max(right, Math.min(first + 1, cells.length))];
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

interface CodeFrameOptions {
  readonly colors: Colors;
  readonly width: number;
  /** Colours the underline. */
  readonly paint: (text: string) => string;
}

interface CodeFrame {
  /** Columns of the line numbers, for aligning what is printed around the frame. */
  readonly gutter: number;
  readonly lines: readonly string[];
}

type Span = Pick<Diagnostic, "line" | "column" | "endLine" | "endColumn">;

interface Row {
  readonly line: number;
  /** UTF-16 range to underline; context lines have none. */
  readonly mark?: readonly [from: number, to: number];
}

/** Below this a frame shows nothing worth reading. */
const MIN_SOURCE_WIDTH = 20;

/** The source around a span with the span underlined; no lines when the span is beyond the text. */
export function codeFrame(
  lines: readonly string[],
  span: Span,
  { colors, width, paint }: CodeFrameOptions,
): CodeFrame {
  const rows = lines[span.line - 1] === undefined ? [] : chooseRows(lines, span);
  const gutter = Math.max(1, ...rows.map(({ line }) => String(line).length));
  if (rows.length === 0) return { gutter, lines: [] };

  const sourceWidth = Math.max(MIN_SOURCE_WIDTH, width - gutter - " | ".length);
  const edge = (label: string): string => colors.dim(`${label.padStart(gutter)} |`);

  const output = [edge("")];
  let previous: number | undefined;
  for (const { line, mark } of rows) {
    if (previous !== undefined && line > previous + 1) output.push(colors.dim("..."));
    previous = line;
    const [from, to] = mark ?? [0, 0];
    const { text, before, marked } = fitLine(lines[line - 1] ?? "", from, to, sourceWidth);
    output.push(`${edge(String(line))} ${text}`.trimEnd());
    if (mark === undefined) continue;
    const underline = (line === span.line ? "^" : "~").padEnd(marked, "~");
    output.push(`${edge("")} ${" ".repeat(before)}${paint(underline)}`);
  }
  return { gutter, lines: output };
}

function chooseRows(lines: readonly string[], span: Span): Row[] {
  const end = span.endColumn <= 1 ? span.endLine - 1 : span.endLine;
  const lastLine = Math.min(Math.max(span.line, end), lines.length);
  if (lastLine > span.line) return multilineRows(lines, span, lastLine);

  const text = lines[span.line - 1] ?? "";
  const from = Math.max(0, span.column - 1);
  const to = span.endLine > span.line ? text.length : span.endColumn - 1;
  const context = contextLines(lines, span.line).map((line): Row => ({ line }));
  const rows: Row[] = [...context, { line: span.line, mark: [from, Math.max(from, to)] }];
  return rows.toSorted((a, b) => a.line - b.line);
}

/** Start and end of a long span say what it covers; its middle does not. */
function multilineRows(lines: readonly string[], span: Span, lastLine: number): Row[] {
  const numbers = new Set([span.line, span.line + 1, lastLine]);
  return Array.from(numbers, (line): Row => {
    const text = lines[line - 1] ?? "";
    const from = line === span.line ? Math.max(0, span.column - 1) : indentOf(text);
    const endsHere = line === span.endLine && span.endColumn > 1;
    const to = endsHere ? Math.min(span.endColumn - 1, text.length) : text.length;
    return line === span.line || from < to ? { line, mark: [from, Math.max(from, to)] } : { line };
  });
}

/** Lines without which the marked one cannot be understood: its parent, or its neighbours. */
function contextLines(lines: readonly string[], line: number): number[] {
  const text = lines[line - 1] ?? "";
  if (!/[\p{L}\p{N}]/u.test(text)) {
    return [line - 1, line + 1].filter((near) => (lines[near - 1] ?? "") !== "");
  }
  const indent = indentOf(text);
  if (indent === 0) return [];
  for (let above = line - 1; above >= 1; above -= 1) {
    const candidate = lines[above - 1] ?? "";
    if (candidate.trim() !== "" && indentOf(candidate) < indent) return [above];
  }
  return [];
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
