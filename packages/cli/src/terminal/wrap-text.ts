import { displayWidth } from "@skillwright/core/internal";

// oxlint-disable-next-line no-control-regex -- what colours are made of
const COLOR = /\u001B\[[\d;]*m/g;

/**
 * Breaks lines between words. What goes on below stands under the start of the line, or, where that
 * is a label and two blanks, under what follows. A word that is longer than a line stays whole; one
 * that only has no room beside its label goes below it.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const label = /^ *(?:\S.{0,23}? {2,})?/.exec(line)?.[0] ?? "";
  const [first = "", ...words] = line.slice(label.length).split(" ");
  const isTooWide = label !== indent && widthOf(label + first) > width;
  const lines = isTooWide ? [label.trimEnd()] : [];
  const hang = isTooWide ? `${indent}    ` : " ".repeat(widthOf(label));
  let current = isTooWide ? hang + first : label + first;
  for (const word of words) {
    if (widthOf(`${current} ${word}`) <= width) {
      current += ` ${word}`;
    } else {
      lines.push(current);
      current = hang + word;
    }
  }
  return [...lines, current].join("\n");
}

function widthOf(text: string): number {
  return displayWidth(text.replace(COLOR, ""));
}
