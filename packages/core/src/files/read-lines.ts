import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import { normalizeText } from "../format/draft.ts";
import { TimeSlice } from "../internal/files.ts";
import { type FileFailure, quotePath } from "./skill-path.ts";

/** The bytes of a file, to be read in parts. */
export interface FileContent {
  /** Relative to the skill; as it is named there, not as it was asked for. */
  readonly path: string;
  readonly size: number;
  /** Fills the buffer from a position on and says how many bytes there were; 0 at the end. */
  read(buffer: Buffer, position: number): number;
  close(): void;
}

export function descriptorContent(path: string, descriptor: number, size: number): FileContent {
  return {
    path,
    size,
    read: (buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
    close: () => closeSync(descriptor),
  };
}

export function memoryContent(path: string, bytes: Buffer): FileContent {
  return {
    path,
    size: bytes.length,
    read: (buffer, position) => bytes.subarray(position).copy(buffer),
    close: () => {},
  };
}

/** The bytes from `start`, at most `limit` of them, also when the file grows meanwhile. */
export function readBytes(content: FileContent, start: number, limit: number): Buffer {
  // One more than there should be, so that the usual read is one call.
  const expected = Math.max(0, content.size - start) + 1;
  let buffer = Buffer.allocUnsafe(Math.min(expected, limit));
  let length = 0;
  while (length < limit) {
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(limit, length * 2 + 4096));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    const count = content.read(buffer.subarray(length), start + length);
    length += count;
    if (count === 0 || (start + length === content.size && length < limit)) break;
  }
  return buffer.subarray(0, length);
}

/** How much of a file is looked at to tell text from anything else. */
export const SAMPLE_BYTES = 8192;

/** True for UTF-8 without NUL. A character cut off at the end counts when there is `more`. */
export function isText(bytes: Buffer, more: boolean): boolean {
  if (bytes.includes(0)) return false;
  return isUtf8(more ? wholeCharacters(bytes) : bytes);
}

/** Without the beginning of a character whose rest is missing. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** UTF-16 is text when it starts with a byte order mark; without one nobody can tell. */
export function utf16Order(head: Buffer): "le" | "be" | undefined {
  if (head.length < 2 || (head.length >= 4 && head.readUInt32LE(0) === 0xfeff)) return undefined;
  const mark = head.readUInt16LE(0);
  return mark === 0xfeff ? "le" : mark === 0xfffe ? "be" : undefined;
}

/** The same text in UTF-8; undefined when it is not valid. */
export function utf16ToUtf8(bytes: Buffer, order: "le" | "be"): Buffer | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const text = (order === "le" ? bytes : Buffer.from(bytes).swap16()).toString("utf16le");
  return /[\0\p{Cs}]/u.test(text) ? undefined : Buffer.from(text);
}

interface FittedLines {
  readonly text: string;
  /** How many lines there are, a cut one included. */
  readonly lines: number;
  readonly complete: boolean;
  /** Not even one line fits, so only its beginning is there. */
  readonly cut: boolean;
  /** Of a cut line, how many bytes there are, its number left out. */
  readonly bytes: number;
}

/** As many whole lines of a text as fit, each after its number when asked for. */
function fitLines(
  text: string,
  firstLine: number,
  maxBytes: number,
  lineNumbers: boolean,
): FittedLines {
  if (!lineNumbers && text.length * 3 <= maxBytes) {
    return { text, lines: countLines(text), complete: true, cut: false, bytes: 0 };
  }
  const parts: string[] = [];
  let bytes = 0;
  let lines = 0;
  for (let from = 0; from < text.length; lines++) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 ? text.length : newline + 1;
    const number = lineNumbers ? `${firstLine + lines}\t` : "";
    const line = number + text.slice(from, to);
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes) {
      if (lines > 0) return { text: parts.join(""), lines, complete: false, cut: false, bytes: 0 };
      const begun = beginning(line, maxBytes);
      const given = Math.max(0, Buffer.byteLength(begun) - number.length);
      return { text: begun, lines: 1, complete: false, cut: true, bytes: given };
    }
    parts.push(line);
    from = to;
  }
  return { text: parts.join(""), lines, complete: true, cut: false, bytes: 0 };
}

/** A newline at the end ends the last line and does not begin another. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

function beginning(line: string, maxBytes: number): string {
  return wholeCharacters(Buffer.from(line).subarray(0, maxBytes)).toString();
}

/** Up to this size all lines of a file are counted; above it nobody should have to wait for that. */
export const MAX_COUNTED_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

interface LocatedLines {
  /** Offset of the first line; undefined when the file ends before it. */
  readonly start?: number;
  /** Offset behind the last line; undefined when more than `maxBytes` lie before it. */
  readonly end?: number;
  /** Absent when the file was not read to its end. */
  readonly totalLines?: number;
}

/**
 * Where lines lie in a file, counted from 1. A line ends with LF, CRLF or CR. Reads no further
 * than it must: a file of any size costs what lies before the range, and one chunk of memory.
 */
export async function locateLines(
  content: FileContent,
  startLine: number,
  endLine: number,
  maxBytes: number,
): Promise<LocatedLines> {
  // What is added to the file from now on does not count, or this might never end.
  const { size } = content;
  const counted = size <= MAX_COUNTED_BYTES ? size : 0;
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  const slice = new TimeSlice();
  let start = startLine === 1 ? 0 : -1;
  let end = -1;
  let line = 1;
  let lineStart = 0;
  let afterReturn = false;
  let position = 0;
  const breakAt = (offset: number): void => {
    line++;
    lineStart = offset;
    if (line === startLine) start = offset;
    if (line === endLine + 1) end = offset;
  };
  const isAnswered = (): boolean => end !== -1 || (start !== -1 && position - start > maxBytes);
  let isAtEnd = size === 0;
  while (!isAtEnd && (!isAnswered() || position < counted)) {
    const count = content.read(buffer.subarray(0, size - position), position);
    const chunk = buffer.subarray(0, count);
    if (afterReturn || chunk.includes(13)) {
      for (let i = 0; i < count; i++) {
        const byte = chunk[i];
        if (byte === 10) breakAt(position + i + 1);
        else if (afterReturn) breakAt(position + i);
        afterReturn = byte === 13;
      }
    } else {
      // The usual case, many times faster.
      for (let i = chunk.indexOf(10); i !== -1; i = chunk.indexOf(10, i + 1)) {
        breakAt(position + i + 1);
      }
    }
    position += count;
    isAtEnd = count === 0 || position === size;
    if (slice.isOver) await slice.rest();
  }
  if (isAtEnd && afterReturn) breakAt(position);
  const within = (offset: number) => start !== -1 && offset - start <= maxBytes;
  if (end === -1 && isAtEnd) end = position;
  return {
    ...(start !== -1 && (start < position || start === 0) && { start }),
    ...(end !== -1 && within(end) && { end }),
    ...(isAtEnd && { totalLines: lineStart < position ? line : line - 1 }),
  };
}

export interface LineRange {
  readonly startLine: number;
  /** Infinity for the end of the file. */
  readonly endLine: number;
  /** So many bytes of the first line are left out. */
  readonly startByte: number;
  readonly maxBytes: number;
  readonly page: boolean;
  readonly lineNumbers: boolean;
}

export interface ReadText {
  readonly ok: true;
  readonly kind: "text";
  readonly path: string;
  /** The name that was asked for, where it was not quite that of the file. */
  readonly resolvedFrom?: string;
  readonly text: string;
  /** The lines that are given; `endLine` is 0 for an empty file. */
  readonly startLine: number;
  readonly endLine: number;
  /** Absent for files above 8 MiB that were not read to their end. */
  readonly totalLines?: number;
  /** True when the last line of the file is among them. */
  readonly endOfFile: boolean;
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** True when a page was asked for and less than all fitted; go on with `endLine + 1`. */
  readonly truncated: boolean;
  /** Only where the last line is cut: go on with the same line as `startLine`, and this `startByte`. */
  readonly nextByte?: number;
}

/** Some lines of a file; undefined when they are not text. */
export async function readLines(
  content: FileContent,
  range: LineRange,
): Promise<ReadText | FileFailure | undefined> {
  const { path, size } = content;
  const { startLine, endLine, startByte, maxBytes, page, lineNumbers } = range;
  // A newline may take two bytes and count as one; the mark at the beginning takes three.
  const mostBytes = maxBytes * 2 + 3;
  const located = await locateLines(content, startLine, endLine, mostBytes + startByte);
  const { start: lineStart, end, totalLines } = located;
  if (lineStart === undefined) return beyondEnd(path, range, located);
  const start = lineStart + startByte;
  const isCut = end === undefined;
  if (startByte > 0) {
    const { end: lineEnd } = await locateLines(content, startLine, startLine, startByte);
    if (lineEnd !== undefined) return beyondLine(path, range, lineEnd - lineStart);
  }
  const bytes = readBytes(content, start, isCut ? mostBytes : end - start);
  const from = startByte === 0 ? 0 : firstCharacter(bytes);
  const whole = isCut ? wholeCharacters(bytes.subarray(from)) : bytes.subarray(from);
  if (!isText(whole, false)) return undefined;
  const raw = whole.toString("utf8");
  // A mark anywhere else than at the beginning of the file is data.
  const text = start === 0 ? normalizeText(raw) : normalizeText(` ${raw}`).slice(1);
  const fitted = fitLines(text, startLine, maxBytes, lineNumbers);
  const isComplete = fitted.complete && !isCut;
  if (!isComplete && !page) return tooLarge(content, range, located, fitted);
  const lastLine = startLine + fitted.lines - 1;
  const reachesEnd = totalLines === undefined ? end === size : lastLine >= totalLines;
  return {
    ok: true,
    kind: "text",
    path,
    text: fitted.text,
    startLine,
    endLine: lastLine,
    ...(totalLines !== undefined && { totalLines }),
    endOfFile: reachesEnd && isComplete,
    size,
    truncated: !isComplete,
    ...(fitted.cut && { nextByte: startByte + from + fitted.bytes + markOf(raw, start) }),
  };
}

/** A place inside a character is taken for the next one. */
function firstCharacter(bytes: Buffer): number {
  const at = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return at === -1 ? 0 : Math.min(at, 3);
}

/** The byte order mark is left out of the text, and counts as a part of the first line. */
function markOf(raw: string, start: number): number {
  return start === 0 && raw.startsWith("\uFEFF") ? 3 : 0;
}

function beyondEnd(path: string, { startLine }: LineRange, { totalLines }: LocatedLines) {
  const count = totalLines ?? 0;
  const failure: FileFailure = {
    ok: false,
    code: "range-invalid",
    message: `${quotePath(path)} has ${count} lines; line ${startLine} lies behind its end`,
    hint: `Ask for lines between 1 and ${count}.`,
  };
  return failure;
}

function beyondLine(path: string, { startLine, startByte }: LineRange, bytes: number): FileFailure {
  const message = `line ${startLine} of ${quotePath(path)} has ${bytes} bytes; byte ${startByte} lies behind its end`;
  const hint = `Leave startByte out, or go on with line ${startLine + 1}.`;
  return { ok: false, code: "range-invalid", message, hint };
}

/** Says what the size is and which lines would fit. */
function tooLarge(
  { path, size }: FileContent,
  { startLine, endLine, maxBytes }: LineRange,
  { totalLines }: LocatedLines,
  { lines, cut }: FittedLines,
): FileFailure {
  const isWhole = startLine === 1 && endLine === Number.POSITIVE_INFINITY;
  const count =
    totalLines === undefined ? "more lines than are counted" : `${grouped(totalLines)} lines`;
  const whole = `${quotePath(path)} has ${grouped(size)} bytes and ${count}`;
  const part = isWhole ? "" : `, and what was asked for of it from line ${startLine} on is`;
  const message = `${whole}${part || ","} more than the limit of ${grouped(maxBytes)} bytes`;
  const last = startLine + lines - 1;
  const hint = cut
    ? `Line ${startLine} alone is longer than that; ask for a page to get its beginning, then go on with startByte.`
    : `Read a part: startLine ${startLine} and endLine ${last} fit, then go on from line ${last + 1}; or ask for a page, or a section.`;
  return { ok: false, code: "file-too-large", message, hint };
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
