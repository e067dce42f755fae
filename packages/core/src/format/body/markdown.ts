import type { Span } from "../draft.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

/** The same text, as long as before, with code blocks and code spans blanked out. */
export function withoutCode(body: string): string {
  let fence = "";
  return body
    .split("\n")
    .map((line) => {
      const wasOpen = fence !== "";
      fence = fenceAfter(line, fence);
      return wasOpen || fence !== "" ? " ".repeat(line.length) : withoutSpans(line);
    })
    .join("\n");
}

/** The fence that is open after this line; empty when none is. */
export function fenceAfter(line: string, open: string): string {
  const match = FENCE.exec(line);
  if (match === null) return open;
  const [, marks = "", info = ""] = match;
  if (open === "") return marks.startsWith("`") && info.includes("`") ? "" : marks;
  const closes = marks.startsWith(open) && info.trim() === "";
  return closes ? "" : open;
}

/** A code span starts with some backticks and ends with exactly as many. */
function withoutSpans(line: string): string {
  if (!line.includes("`")) return line;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: marks, index }) => ({ marks, index }));
  const closings = nextOfSameLength(runs.map(({ marks }) => marks.length));
  let result = "";
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const closing = closings[i];
    const opening = runs[i];
    const end = closing === undefined ? undefined : runs[closing];
    if (closing === undefined || opening === undefined || end === undefined) continue;
    const stop = end.index + end.marks.length;
    result += line.slice(from, opening.index) + " ".repeat(stop - opening.index);
    from = stop;
    i = closing;
  }
  return result + line.slice(from);
}

/** For each number the index of the next equal one; found from the end, in one pass. */
function nextOfSameLength(lengths: readonly number[]): (number | undefined)[] {
  const next: (number | undefined)[] = [];
  const seen = new Map<number, number>();
  for (let i = lengths.length - 1; i >= 0; i--) {
    const length = lengths[i] ?? 0;
    next[i] = seen.get(length);
    seen.set(length, i);
  }
  return next;
}

/**
 * HTML comments outside of code, as offsets into the body. One that is never closed hides everything
 * after it; a fence inside a comment opens nothing.
 */
export function htmlComments(body: string): Span[] {
  const comments: Span[] = [];
  let fence = "";
  let line = 0;
  while (line < body.length && body.includes("<!--", line)) {
    const newline = body.indexOf("\n", line);
    const end = newline === -1 ? body.length : newline;
    const text = body.slice(line, end);
    const wasOpen = fence !== "";
    fence = fenceAfter(text, fence);
    const start = wasOpen || fence !== "" ? -1 : withoutCode(text).indexOf("<!--");
    if (start === -1) {
      line = end + 1;
      continue;
    }
    const close = body.indexOf("-->", line + start + 4);
    const stop = close === -1 ? body.length : close + 3;
    comments.push({ start: line + start, end: stop });
    line = stop;
  }
  return comments;
}

/** A place in the body that names a file of the skill. */
interface FileReference {
  /** As a path relative to the skill's folder, decoded and without fragment. */
  readonly path: string;
  readonly kind: "link" | "mention";
  /** Offsets into the body. */
  readonly start: number;
  readonly end: number;
}

/** The bounded repetitions keep hostile Markdown linear. */
const LINK =
  /\]\([ \t]{0,8}(?:<([^<>\n]{1,1024})>|((?:[^()\s<>]|\([^()\s<>]{0,200}\)){1,1024}))(?:[ \t]{1,8}["'(][^)\n]{0,200})?[ \t]{0,8}\)/g;
const DEFINITION =
  /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]{0,8}(?:<([^<>\n]{1,1024})>|([^\s<>]{1,1024}))[ \t]*(?:["'(].{0,200})?$/gm;
const MENTION =
  /(?<![\p{L}\p{N}_./\\:@%}>*-])(?:\.\/|\$\{?(?:CLAUDE_)?SKILL_DIR\}?\/|\{baseDir\}\/)?((?:scripts|references?|assets)\/(?:[\p{L}\p{N}_.+-]{1,255}\/){0,8}[\p{L}\p{N}_.+-]{0,255}?[\p{L}\p{N}_]\.[A-Za-z0-9]{1,10})(?![\p{L}\p{N}_/*{<[-]|\.[A-Za-z0-9])/gu;
const ELSEWHERE = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/|#|\?|~|\\|[{$<])|[*{}$]/;

/** More than any skill has; a body of a million links must not keep the linter busy. */
const MAX_REFERENCES = 2000;

/** Links to files, and bare mentions such as `scripts/run.py`, in the order of the text. */
export function findReferences(body: string): FileReference[] {
  const prose = withoutCode(body);
  const references: FileReference[] = [];
  for (const pattern of [LINK, DEFINITION]) {
    for (const match of prose.matchAll(pattern)) {
      if (references.length >= MAX_REFERENCES) break;
      add(match, "link", references);
    }
  }
  const linked = references.toSorted((a, b) => a.start - b.start);
  let next = 0;
  for (const match of body.matchAll(MENTION)) {
    if (references.length >= MAX_REFERENCES) break;
    // Both run in order, so that one look at the next link is enough.
    while ((linked[next]?.end ?? Number.POSITIVE_INFINITY) <= match.index) next++;
    if (match.index < (linked[next]?.start ?? Number.POSITIVE_INFINITY))
      add(match, "mention", references);
  }
  return references.sort((a, b) => a.start - b.start);
}

function add(
  match: RegExpExecArray,
  kind: FileReference["kind"],
  references: FileReference[],
): void {
  const target = match[1] ?? match[2] ?? "";
  if (ELSEWHERE.test(target)) return;
  const path = decode(target.replace(/[#?].*$/s, "")).replace(/^(?:\.\/)+/, "");
  const start = match.index + match[0].lastIndexOf(target);
  if (path !== "") references.push({ path, kind, start, end: start + target.length });
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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
