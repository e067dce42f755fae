import { readSync } from "node:fs";
import { UsageError } from "./command.mjs";
import { MAX_ROW, rowName, tooLong } from "./row-problems.mjs";

const BUFFER_BYTES = 1024 * 1024;
const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

/**
 * Goes through delimited text byte by byte and makes no strings: `sink.cell(bytes, start, end)` for each
 * cell, then `sink.row(cells)` with their number. The bytes are good only until the call returns. A cell
 * in quotes comes without them. Lines with nothing in them are left out.
 */
export function scanCells({ handle, first, delimiter }, sink) {
  const separator = separatorByte(delimiter);
  const source = { handle, bytes: Buffer.allocUnsafe(BUFFER_BYTES), length: 0, isLast: false };
  source.length = withoutMark(first).copy(source.bytes);
  let bytes = source.bytes;
  let start = 0;
  let rows = 0;
  let cells = 0;
  // Behind the last byte stands a line end: every search ends there, and sees that it has to go on.
  bytes[source.length] = NEWLINE;
  for (;;) {
    const isQuoted = bytes[start] === QUOTE;
    const close = isQuoted ? closingQuote(bytes, start + 1, source.length) : start;
    let end = close;
    while (bytes[end] !== separator && bytes[end] !== NEWLINE) end++;
    if (end >= source.length) {
      if (source.isLast && start >= source.length) return;
      if (source.isLast) throw new Error(`${rowName(rows)}: a quote is left open`);
      refill(source, start, rows);
      // The last line may do without its end, even where its last cell is empty.
      if (source.isLast && (source.length > 0 || cells > 0)) closeLine(source);
      bytes = source.bytes;
      start = 0;
      continue;
    }
    const isRowEnd = bytes[end] === NEWLINE;
    let last = isRowEnd && end > start && bytes[end - 1] === RETURN ? end - 1 : end;
    if (isQuoted) last = unquote(bytes, start, close, last);
    if (!isRowEnd || cells > 0 || last > start || isQuoted) {
      sink.cell(bytes, start, last);
      cells++;
      if (isRowEnd) {
        sink.row(cells);
        rows++;
        cells = 0;
      }
    }
    start = end + 1;
  }
}

function separatorByte(delimiter) {
  const bytes = Buffer.from(delimiter);
  if (bytes.length === 1 && ![NEWLINE, RETURN, QUOTE].includes(bytes[0])) return bytes[0];
  throw new UsageError(`--delimiter takes one plain character, not ${JSON.stringify(delimiter)}`);
}

function withoutMark(first) {
  const hasMark = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
  return hasMark ? first.subarray(3) : first;
}

/** Where the cell ends that began before `from`; `length` when its end is not there yet. */
function closingQuote(bytes, from, length) {
  for (let at = from; at < length; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE) return at;
    at++;
  }
  return length;
}

/**
 * Moves the text of a quoted cell to its start, each doubled quote as one, and gives its end. What
 * follows the closing quote belongs to the cell, as most readers have it.
 */
function unquote(bytes, start, close, end) {
  let to = start;
  for (let at = start + 1; at < close; at++) {
    bytes[to++] = bytes[at];
    if (bytes[at] === QUOTE) at++;
  }
  for (let at = close + 1; at < end; at++) bytes[to++] = bytes[at];
  return to;
}

/** Keeps what begins at `start`, the cell that is not complete, and reads on behind it. */
function refill(source, start, rows) {
  const kept = source.length - start;
  if (kept > MAX_ROW) throw tooLong(rows);
  const old = source.bytes;
  // Doubled, so that a long cell is not searched again and again in small steps.
  if (kept > old.length / 2) source.bytes = Buffer.allocUnsafe(old.length * 2);
  old.copy(source.bytes, 0, start, source.length);
  const room = source.bytes.length - kept - 2;
  const read = readSync(source.handle, source.bytes, kept, room, null);
  source.length = kept + read;
  source.isLast = read === 0;
  source.bytes[source.length] = NEWLINE;
}

function closeLine(source) {
  source.length++;
  source.bytes[source.length] = NEWLINE;
}
