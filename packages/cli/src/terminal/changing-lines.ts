import { displayWidth, splitGraphemes } from "@skillwright/core/internal";

// oxlint-disable-next-line no-control-regex -- what colours are made of
const COLOR = /\u001B\[[\d;]*m/g;
const ERASE_LINE_END = "\u001B[K";
const ERASE_BELOW = "\u001B[J";
/** Not all at once: a terminal that is erased as a whole may keep what was on it in its history. */
const ERASE_FROM_HERE = `\u001B[2K\n${ERASE_BELOW}\u001B[A`;

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The last lines of a terminal, drawn anew as often as they change. What it gives is to be written;
 * the cursor is at the start of the line below.
 */
export class ChangingLines {
  #drawn: readonly string[] = [];
  #columns = 0;

  get isEmpty(): boolean {
    return this.#drawn.length === 0;
  }

  /** These lines in place of those that are there; each fits into the width. */
  draw(lines: readonly string[], size: ScreenSize): string {
    if (lines.length === 0) return this.clear(size);
    // Lines that a terminal broke stay joined for it until they are erased as a whole.
    const isResized = !this.isEmpty && this.#columns !== size.columns;
    // A terminal may break lines some time before it tells its new size: those that stay are left alone.
    const kept = isResized ? 0 : sameLines(this.#drawn, lines);
    if (kept === lines.length && kept === this.#drawn.length) return "";
    const start = `${this.#toStart(size, kept)}${isResized ? ERASE_FROM_HERE : ""}`;
    this.#drawn = lines;
    this.#columns = size.columns;
    return `${start}${lines
      .slice(kept)
      .map((line) => `${line}${ERASE_LINE_END}\n`)
      .join("")}${ERASE_BELOW}`;
  }

  clear(size: ScreenSize): string {
    if (this.isEmpty) return "";
    const start = this.#toStart(size);
    this.#drawn = [];
    return `${start}${ERASE_FROM_HERE}`;
  }

  /** A line of the caller, above those that change. */
  above(text: string, size: ScreenSize): string {
    const lines = this.#drawn;
    const cleared = this.clear(size);
    return `${cleared}${text}\n${lines.length === 0 ? "" : this.draw(lines, size)}`;
  }

  /** A terminal that became narrower has broken the lines that were drawn for its old width. */
  #toStart({ columns, rows }: ScreenSize, kept = 0): string {
    const drawn = this.#drawn.slice(kept).reduce((sum, line) => sum + rowsOf(line, columns), 0);
    const up = Math.min(drawn, Math.max(0, rows - 1));
    return up === 0 ? "\r" : `\r\u001B[${up}A`;
  }
}

/** How many lines at the beginning are as they were. */
function sameLines(before: readonly string[], after: readonly string[]): number {
  const end = after.findIndex((line, i) => line !== before[i]);
  return end === -1 ? after.length : end;
}

/** How many rows of a terminal a line takes; a wide character is not broken. */
export function rowsOf(line: string, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const grapheme of splitGraphemes(line.replace(COLOR, ""))) {
    const width = displayWidth(grapheme);
    if (used + width > columns) {
      rows++;
      used = 0;
    }
    used += width;
  }
  return rows;
}
