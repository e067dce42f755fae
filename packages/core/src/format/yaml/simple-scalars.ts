const NEWLINE = 10;
const SPACE = 32;
const HYPHEN = 45;
const GREATER = 62;

interface SimpleBlock {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Start of the line after the block. */
  readonly next: number;
}

/** A `|` or `>` block whose lines are evenly indented; undefined for anything more special. */
export function foldBlock(text: string, header: number, indent: number): SimpleBlock | undefined {
  const folded = text.charCodeAt(header) === GREATER;
  const strip = text.charCodeAt(header + 1) === HYPHEN;
  const start = header + (strip ? 2 : 1) + 1;
  if (text.charCodeAt(start - 1) !== NEWLINE) return undefined;
  const blockIndent = countSpaces(text, start);
  if (blockIndent <= indent) return undefined;
  let value = "";
  let line = start;
  let end = start;
  let breaks = 0;
  while (line < text.length) {
    const spaces = countSpaces(text, line);
    const lineEnd = text.indexOf("\n", line);
    const isBlank = line + spaces === lineEnd;
    if (isBlank ? spaces > blockIndent || line === start : spaces < blockIndent) {
      if (isBlank || spaces > indent) return undefined;
      break;
    }
    if (isBlank) {
      breaks++;
    } else {
      if (folded && spaces > blockIndent) return undefined;
      value += separator(breaks, folded, value === "") + text.slice(line + blockIndent, lineEnd);
      breaks = 1;
      end = lineEnd;
    }
    line = lineEnd + 1;
  }
  end = start + text.slice(start, end).trimEnd().length;
  return { value: strip ? value : `${value}\n`, start, end, next: line };
}

function separator(breaks: number, folded: boolean, first: boolean): string {
  if (first) return "";
  if (!folded) return "\n".repeat(breaks);
  return breaks === 1 ? " " : "\n".repeat(breaks - 1);
}

function countSpaces(text: string, from: number): number {
  let i = from;
  while (text.charCodeAt(i) === SPACE) i++;
  return i - from;
}
