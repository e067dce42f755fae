import { normalizeText } from "../format/text/normalize-text.ts";
import { type FileContent, readBytes } from "./file-content.ts";
import { fitLines, type FittedLines } from "./fit-lines.ts";
import { type LocatedLines, locateLines } from "./locate-lines.ts";
import type { FileFailure } from "./skill-files.ts";
import { quotePath } from "./skill-path.ts";
import { isText, wholeCharacters } from "./text-encoding.ts";

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
