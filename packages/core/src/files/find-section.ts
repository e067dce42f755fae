import { type Heading, outlineBody } from "../format/body/outline-body.ts";
import { nearNames } from "../format/text/near-names.ts";
import { splitFrontmatter } from "../format/text/split-frontmatter.ts";
import { countLines } from "./fit-lines.ts";

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
