const NEWLINE = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const HYPHEN = 45;
const GREATER = 62;
const BACKSLASH = 92;

export interface SimpleScalar {
  readonly value: string;
  /** Offset of the closing quote. */
  readonly end: number;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', "\\": "\\", n: "\n", t: "\t" };

/**
 * A double-quoted text with the usual escapes, over as many lines as it takes; undefined for other
 * escapes, blank lines, and lines that are not indented more than `indent`.
 */
export function readDoubleQuoted(
  text: string,
  start: number,
  indent: number,
): SimpleScalar | undefined {
  let value = "";
  let from = start;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOUBLE_QUOTE) return { value: value + text.slice(from, i), end: i };
    if (code === NEWLINE) {
      value += `${trimmedLine(text, from, i)} `;
      from = continuedAt(text, i + 1, indent);
      if (from === -1) return undefined;
      i = from - 1;
    } else if (code === BACKSLASH) {
      const escape = text[i + 1] ?? "";
      const hex = escape === "u" ? text.slice(i + 2, i + 6) : "";
      const unit = /^[0-9a-f]{4}$/i.test(hex) ? Number.parseInt(hex, 16) : undefined;
      const escaped = unit === undefined ? ESCAPES[escape] : String.fromCharCode(unit);
      if (escaped === undefined) return undefined;
      value += text.slice(from, i) + escaped;
      i += unit === undefined ? 1 : 5;
      from = i + 1;
    }
  }
  return undefined;
}

/** A single-quoted text, in which two quotes stand for one; undefined as above. */
export function readSingleQuoted(
  text: string,
  start: number,
  indent: number,
): SimpleScalar | undefined {
  let value = "";
  let from = start;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === NEWLINE) {
      value += `${trimmedLine(text, from, i)} `;
      from = continuedAt(text, i + 1, indent);
      if (from === -1) return undefined;
      i = from - 1;
    } else if (code === SINGLE_QUOTE) {
      value += text.slice(from, i);
      if (text.charCodeAt(i + 1) !== SINGLE_QUOTE) return { value, end: i };
      from = ++i;
    }
  }
  return undefined;
}

/** Blanks before a line break inside quotes do not count. */
function trimmedLine(text: string, from: number, lineEnd: number): string {
  let end = lineEnd;
  while (end > from && text.charCodeAt(end - 1) === SPACE) end--;
  return text.slice(from, end);
}

/** Where the text of the next line starts; -1 when that line is blank or not indented enough. */
function continuedAt(text: string, line: number, indent: number): number {
  const spaces = countSpaces(text, line);
  const next = text.charCodeAt(line + spaces);
  return spaces <= indent || next === NEWLINE || Number.isNaN(next) ? -1 : line + spaces;
}

export interface SimpleBlock {
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
