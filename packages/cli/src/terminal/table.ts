import { displayWidth } from "./display-width.ts";

export interface TableOptions {
  readonly width: number;
  readonly header?: (text: string) => string;
}

/** Columns as wide as their content; the last one gets what is left and is cut with an ellipsis. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { width, header: paint = (text) => text }: TableOptions,
): string {
  const last = header.length - 1;
  const widths = header.map((title, i) =>
    Math.max(...[title, ...rows.map((row) => row[i] ?? "")].map(displayWidth)),
  );
  const used = widths.slice(0, last).reduce((sum, columns) => sum + columns + 2, 0);
  const lastWidth = Math.max(20, width - used);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === last ? cut(cell, lastWidth) : pad(cell, widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [paint(line(header)), ...rows.map(line)].join("\n");
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let result = "";
  for (const character of text) {
    if (displayWidth(result + character) > width - 1) break;
    result += character;
  }
  return `${result}…`;
}
