import { wholeCharacters } from "../files/text-encoding.ts";
import { type Heading, outlineBody } from "../format/body/outline-body.ts";

export interface BodyLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
}

export interface FittedBody {
  /** What can be shown at once. */
  readonly text: string;
  /** The headings of what was left out, with lines of the file. */
  readonly outline: readonly Heading[];
  /** Lines of the file, from which to which; absent when all of it is there. */
  readonly rest?: BodyRest;
}

interface BodyRest {
  readonly startLine: number;
  readonly endLine: number;
  /** Of the first of these lines the beginning is shown: so many bytes of it, or a few more. */
  readonly startByte?: number;
}

/**
 * The first part of a body that is too long, and an outline of the rest. Cut before a heading if
 * there is one in the second half of the part. `bodyLine` is the body's first line in the file.
 */
export function fitBody(body: string, bodyLine: number, limits: BodyLimits): FittedBody {
  const lines = body.split("\n");
  const fitting = linesWithin(lines, limits);
  if (fitting === lines.length) return { text: body, outline: [] };
  const headings = outlineBody(body, bodyLine);
  const lastLine = bodyLine + lines.length - (lines.at(-1) === "" ? 2 : 1);
  const cut = headings
    .map(({ line }) => line - bodyLine)
    .findLast((line) => line <= fitting && line >= fitting / 2);
  const kept = cut ?? fitting;
  if (kept === 0) return firstLineCut(lines[0] ?? "", headings, bodyLine, lastLine, limits);
  const startLine = bodyLine + kept;
  return {
    text: lines.slice(0, kept).join("\n").trimEnd(),
    outline: headings.filter(({ endLine }) => endLine >= startLine),
    rest: { startLine, endLine: Math.max(startLine, lastLine) },
  };
}

/** The first line alone is too long: its beginning is more than nothing. */
function firstLineCut(
  line: string,
  outline: readonly Heading[],
  startLine: number,
  endLine: number,
  { maxBytes }: BodyLimits,
): FittedBody {
  const text = wholeCharacters(Buffer.from(line).subarray(0, maxBytes)).toString();
  // The file has one character where an escape has four.
  const escapes = text.split("&lt;").length - 1;
  const startByte = Math.max(0, Buffer.byteLength(text) - escapes * 3);
  return { text, outline, rest: { startLine, endLine: Math.max(startLine, endLine), startByte } };
}

function linesWithin(lines: readonly string[], { maxLines, maxBytes }: BodyLimits): number {
  let bytes = 0;
  for (const [i, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    const isLastEmpty = i === lines.length - 1 && line === "";
    if ((i >= maxLines && !isLastEmpty) || bytes > maxBytes + 1) return i;
  }
  return lines.length;
}
