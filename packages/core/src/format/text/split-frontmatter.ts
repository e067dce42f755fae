/** Where the parts of a normalised SKILL.md lie. */
export interface SkillParts {
  readonly text: string;
  /** Frontmatter without its delimiters: `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  /** First character after the line of the closing delimiter. */
  readonly bodyStart: number;
  /** Offset of the opening delimiter; above 0 when there are blank lines before it. */
  readonly opening: number;
}

type SplitResult =
  | { readonly found: "both"; readonly parts: SkillParts }
  | { readonly found: "opening"; readonly opening: number }
  | { readonly found: "none" };

/**
 * Finds the two delimiter lines. A delimiter is a whole line: three hyphens at its start and
 * nothing but blanks after them, so `description: a --- b` and `--- # note` are content.
 */
export function splitFrontmatter(text: string): SplitResult {
  const opening = firstLineWithText(text);
  const start = afterDelimiter(text, opening);
  if (start === -1) return { found: "none" };
  let end = start;
  while (end < text.length) {
    const bodyStart = afterDelimiter(text, end);
    if (bodyStart !== -1) return { found: "both", parts: { text, start, end, bodyStart, opening } };
    const newline = text.indexOf("\n---", end);
    if (newline === -1) break;
    end = newline + 1;
  }
  return { found: "opening", opening };
}

function firstLineWithText(text: string): number {
  let lineStart = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10) lineStart = i + 1;
    else if (code !== 32 && code !== 9) return lineStart;
  }
  return lineStart;
}

/** Start of the line after the delimiter line at `offset`, or -1 when that line is not one. */
function afterDelimiter(text: string, offset: number): number {
  if (!text.startsWith("---", offset)) return -1;
  let i = offset + 3;
  while (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9) i++;
  if (i >= text.length) return text.length;
  return text.charCodeAt(i) === 10 ? i + 1 : -1;
}

/** No frontmatter that may be read reaches beyond this. */
const MAX_HEAD_LENGTH = 20_000;

/**
 * The text up to the end of what looks like the frontmatter, found without touching the body. Good
 * enough to try first: when nothing can be read of it, the whole text must be tried.
 */
export function headOf(text: string): string {
  let from = 3;
  for (;;) {
    const newline = text.indexOf("\n---", from);
    if (newline === -1 || newline > MAX_HEAD_LENGTH) return text.slice(0, MAX_HEAD_LENGTH);
    let end = newline + 4;
    while (text[end] === " " || text[end] === "\t" || text[end] === "\r") end++;
    if (end >= text.length || text[end] === "\n") return text.slice(0, end + 1);
    from = end;
  }
}

const BOM = 0xfeff;

/** Drops a leading BOM and turns CRLF and CR into LF. Everything else stays as it is. */
export function normalizeText(text: string): string {
  const start = text.charCodeAt(0) === BOM ? 1 : 0;
  if (text.includes("\r", start)) return text.slice(start).replace(/\r\n?/g, "\n");
  return start === 0 ? text : text.slice(start);
}
