import { displayWidth, splitGraphemes, visibleLine } from "@skillwright/core/internal";

/** A source line as shown, and the columns to underline in it. */
export interface FittedLine {
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
