import { wholeCharacters } from "./text-encoding.ts";

export interface FittedLines {
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
export function fitLines(
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
