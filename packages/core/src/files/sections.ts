import { type Heading, outlineBody } from "../format/body/markdown.ts";
import { nearNames } from "../format/names.ts";
import { normalizeText, splitFrontmatter } from "../format/draft.ts";
import {
  countLines,
  type FileContent,
  isText,
  type LineRange,
  MAX_COUNTED_BYTES,
  readBytes,
  readLines,
  type ReadText,
} from "./read-lines.ts";
import type { FileFailure } from "./skill-path.ts";
import { quotePath } from "./skill-path.ts";

/** The headings of a Markdown file; its frontmatter has none. */
export function headingsOf(text: string): Heading[] {
  const split = splitFrontmatter(text);
  if (split.found !== "both") return outlineBody(text);
  const { bodyStart } = split.parts;
  return outlineBody(text.slice(bodyStart), countLines(text.slice(0, bodyStart)) + 1);
}

/**
 * The heading a hint means: the same, then without regard to case (an anchor such as `#form-fields`
 * too), then one that contains it, then one spelt nearly so.
 */
export function findSection(headings: readonly Heading[], hint: string): Heading | undefined {
  const wanted = hint.trim().replace(/^#+\s*/, "");
  const folded = fold(wanted);
  if (folded === "") return undefined;
  const near = () => nearNames(wanted, titlesOf(headings), 1)[0];
  return (
    headings.find(({ title }) => title === wanted) ??
    headings.find(({ title }) => fold(title) === folded) ??
    shortest(headings.filter(({ title }) => fold(title).includes(folded))) ??
    headings.find(({ title }) => title === near())
  );
}

/** Titles to offer instead, likely ones first. */
export function nearTitles(headings: readonly Heading[], hint: string, limit: number): string[] {
  const titles = titlesOf(headings);
  const words = fold(hint)
    .split("-")
    .filter((word) => word.length > 2);
  const similar = titles.filter((title) => words.some((word) => fold(title).includes(word)));
  return [...new Set([...similar, ...titles])].slice(0, limit);
}

function titlesOf(headings: readonly Heading[]): string[] {
  return headings.map(({ title }) => title).filter((title) => title !== "");
}

/** The heading that says the least besides what was asked for. */
function shortest(headings: readonly Heading[]): Heading | undefined {
  return headings.toSorted((a, b) => a.title.length - b.title.length)[0];
}

function fold(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

const MAX_CANDIDATES = 5;

/** The section below a heading, its subsections included; undefined when the file is not text. */
export async function readSection(
  content: FileContent,
  section: string,
  range: LineRange,
): Promise<ReadText | FileFailure | undefined> {
  if (content.size > MAX_COUNTED_BYTES) {
    const message = `${quotePath(content.path)} is too large to look for sections in it`;
    const hint = "Read lines with startLine and endLine.";
    return { ok: false, code: "file-too-large", message, hint };
  }
  const bytes = readBytes(content, 0, content.size);
  if (!isText(bytes, false)) return undefined;
  const headings = headingsOf(normalizeText(bytes.toString("utf8")));
  const found = findSection(headings, section);
  if (found !== undefined) {
    return readLines(content, { ...range, startLine: found.line, endLine: found.endLine });
  }
  const candidates = nearTitles(headings, section, MAX_CANDIDATES);
  return {
    ok: false,
    code: "section-not-found",
    message: `${quotePath(content.path)} has no section ${quotePath(section)}`,
    hint: "Ask for a section by its heading, or for lines with startLine and endLine.",
    ...(candidates.length > 0 && { candidates }),
  };
}
