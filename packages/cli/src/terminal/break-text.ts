import { displayWidth, splitAtWidth, truncateWidth } from "@skillwright/core/internal";

/**
 * The text in lines of at most so many columns: between words, and inside a word that is longer than
 * a line, which Chinese text without blanks is. What is over so many lines is cut.
 */
export function breakText(text: string, width: number, maxLines = Infinity): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length + 1 < maxLines) {
    const [line, more] = splitAtWidth(rest, width);
    if (more === "") break;
    if (line === "") return [...lines, truncateWidth(rest, width)];
    const end = more.startsWith(" ") ? line.length : line.lastIndexOf(" ");
    // A word of which a good part fits stays whole only where it does not leave half a line empty.
    const isBroken = end <= 0 || displayWidth(line.slice(0, end)) < width / 2;
    const taken = isBroken ? line.length : end;
    lines.push(rest.slice(0, taken).trimEnd());
    rest = rest.slice(taken).trimStart();
  }
  return rest === "" ? lines : [...lines, truncateWidth(rest, width)];
}
