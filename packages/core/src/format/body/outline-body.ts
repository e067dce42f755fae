import { fenceAfter } from "./without-code.ts";

export interface Heading {
  readonly level: number;
  readonly title: string;
  /** 1-based line of the file; `endLine` is the last line of the section, subsections included. */
  readonly line: number;
  readonly endLine: number;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const NO_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:[-*+>|#]|\d{1,9}[.)][ \t]))|^\s*$/;

/** The headings of a Markdown body with the lines they cover. Code blocks have no headings. */
export function outlineBody(body: string, startLine = 1): Heading[] {
  const lines = body.split("\n");
  const found: { level: number; title: string; line: number }[] = [];
  let fence = "";
  let paragraph: string | undefined;
  for (const [i, line] of lines.entries()) {
    const before = fence;
    fence = fenceAfter(line, fence);
    if (before !== "" || fence !== "") {
      paragraph = undefined;
      continue;
    }
    const heading = atxHeading(line) ?? underlinedHeading(line, paragraph);
    paragraph = heading === undefined ? line : undefined;
    if (heading === undefined) continue;
    const { level, title, linesAbove } = heading;
    found.push({ level, title, line: startLine + i - linesAbove });
  }
  const lastLine = startLine + lines.length - (lines.at(-1) === "" ? 2 : 1);
  return withEnds(found, lastLine);
}

function atxHeading(line: string) {
  const match = ATX.exec(line);
  if (match === null) return undefined;
  const title = (match[2] ?? "")
    .trim()
    .replace(/(?:^|[ \t])#+$/, "")
    .trimEnd();
  return { level: match[1]?.length ?? 1, title, linesAbove: 0 };
}

function underlinedHeading(line: string, above: string | undefined) {
  const match = UNDERLINE.exec(line);
  if (match === null || above === undefined || NO_PARAGRAPH.test(above)) return undefined;
  return { level: match[1]?.startsWith("=") ? 1 : 2, title: above.trim(), linesAbove: 1 };
}

/** A section ends before the next heading of its own or a higher level. */
function withEnds(
  headings: readonly { level: number; title: string; line: number }[],
  lastLine: number,
): Heading[] {
  const result: Heading[] = [];
  const nextAtLevel: number[] = Array.from({ length: 7 }, () => lastLine + 1);
  for (const heading of headings.toReversed()) {
    const endLine = Math.min(...nextAtLevel.slice(1, heading.level + 1)) - 1;
    result.push({ ...heading, endLine: Math.max(heading.line, endLine) });
    nextAtLevel[heading.level] = heading.line;
  }
  return result.reverse();
}
