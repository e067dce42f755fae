import { displayWidth, splitGraphemes, visibleLine } from "@skillwright/core/internal";
import type { EditBuffer } from "./edit-buffer.ts";

interface LayoutOptions {
  /** Before the first line; the others are indented as far. */
  readonly prompt: string;
  readonly columns: number;
  /** Rows that may be taken; of a longer text those around the cursor are shown. */
  readonly rows: number;
}

export interface InputLayout {
  readonly lines: readonly string[];
  /** The cursor's position, from 0. */
  readonly row: number;
  readonly column: number;
}

/** Shown in place of the prompt where the text begins above. */
const MORE_ABOVE = "⋮";
const TAB = "  ";

/** Lays text out for the screen. The last column stays free, so that the terminal never wraps. */
export function layoutInput(
  { text, cursor }: EditBuffer,
  { prompt, columns, rows }: LayoutOptions,
): InputLayout {
  const indent = displayWidth(prompt);
  const width = Math.max(2, columns - indent - 1);
  const wrapped = wrap(text, cursor, width);
  const first = Math.max(0, Math.min(wrapped.row - rows + 1, wrapped.lines.length - rows));
  const from = Math.min(first, wrapped.row);
  const shown = wrapped.lines.slice(from, from + rows);
  const blank = " ".repeat(indent);
  const lead = from === 0 ? prompt : MORE_ABOVE.padEnd(indent);
  return {
    lines: shown.map((line, index) => (index === 0 ? lead : blank) + line),
    row: wrapped.row - from,
    column: indent + wrapped.column,
  };
}

function wrap(text: string, cursor: number, width: number): InputLayout {
  const lines: string[] = [];
  let place = { row: 0, column: 0 };
  let index = 0;
  for (const line of text.split("\n")) {
    let current = "";
    let used = 0;
    for (const grapheme of splitGraphemes(line)) {
      const shown = grapheme === "\t" ? TAB : visibleLine(grapheme);
      const taken = displayWidth(shown);
      if (used > 0 && used + taken > width) {
        lines.push(current);
        current = "";
        used = 0;
      }
      if (index === cursor) place = { row: lines.length, column: used };
      current += shown;
      used += taken;
      index += grapheme.length;
    }
    if (index === cursor) place = { row: lines.length, column: used };
    lines.push(current);
    index += 1;
  }
  return { lines, ...place };
}
