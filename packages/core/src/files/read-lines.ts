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
  readonly maxBytes: number;
  readonly page: boolean;
  readonly lineNumbers: boolean;
}

export interface ReadText {
  readonly ok: true;
  readonly kind: "text";
  readonly path: string;
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
}

/** Some lines of a file; undefined when they are not text. */
export async function readLines(
  content: FileContent,
  range: LineRange,
): Promise<ReadText | FileFailure | undefined> {
  const { path, size } = content;
  const { startLine, endLine, maxBytes, page, lineNumbers } = range;
  // A newline may take two bytes and count as one; the mark at the beginning takes three.
  const mostBytes = maxBytes * 2 + 3;
  const located = await locateLines(content, startLine, endLine, mostBytes);
  const { start, end, totalLines } = located;
  if (start === undefined) return beyondEnd(path, range, located);
  const isCut = end === undefined;
  const bytes = readBytes(content, start, isCut ? mostBytes : end - start);
  if (!isText(bytes, isCut)) return undefined;
  const raw = (isCut ? wholeCharacters(bytes) : bytes).toString("utf8");
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
  };
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
    ? `Line ${startLine} alone is longer than that; ask for a page to get its beginning.`
    : `Read a part: startLine ${startLine} and endLine ${last} fit, then go on from line ${last + 1}; or ask for a page, or a section.`;
  return { ok: false, code: "file-too-large", message, hint };
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
