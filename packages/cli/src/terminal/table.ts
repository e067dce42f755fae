import { displayWidth, truncateWidth } from "@skillwright/core/internal";

export interface TableOptions {
  readonly width: number;
  readonly header?: (text: string) => string;
}

const GAP = 2;
const LEAST_FOR_LAST = 20;

/**
 * Columns as wide as their content; the last one gets what is left and is cut with an ellipsis. Where
 * something in the first column leaves it too little, that stands on a line of its own.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { width, header: paint = (text) => text }: TableOptions,
): string {
  const widths = columnWidths([header, ...rows], width);
  const last = header.length - 1;
  const [first = 0] = widths;
  const line = (cells: readonly string[]): string => {
    const [cell = "", ...others] = cells;
    if (last > 0 && displayWidth(cell) > first) {
      return `${truncateWidth(cell, width)}\n${line(["", ...others])}`;
    }
    return cells
      .map((text, i) =>
        i === last ? truncateWidth(text, widths[i] ?? 0) : pad(text, widths[i] ?? 0),
      )
      .join(" ".repeat(GAP))
      .trimEnd();
  };
  return [paint(line(header)), ...rows.map(line)].join("\n");
}

function columnWidths(lines: readonly (readonly string[])[], width: number): number[] {
  const [header = []] = lines;
  const last = header.length - 1;
  const cells = header.map((_, i) => lines.map((line) => displayWidth(line[i] ?? "")));
  const widths = cells.map((column) => Math.max(...column));
  const others = widths.slice(1, last).reduce((sum, columns) => sum + columns + GAP, 0);
  if (last > 0) {
    const most = width - LEAST_FOR_LAST - others - GAP;
    const fitting = cells[0]?.filter((columns) => columns <= most) ?? [];
    widths[0] = Math.max(displayWidth(header[0] ?? ""), ...fitting);
  }
  const used = last > 0 ? (widths[0] ?? 0) + GAP + others : 0;
  widths[last] = Math.max(LEAST_FOR_LAST, width - used);
  return widths;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
