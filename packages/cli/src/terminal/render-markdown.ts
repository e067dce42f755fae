import { displayWidth } from "@skillwright/core/internal";
import { lexer, type Token, type Tokens } from "marked";
import { breakText } from "./break-text.ts";
import type { Colors } from "./colors.ts";

export interface RenderOptions {
  readonly width: number;
  /** Without them, what they would mark is plain text. */
  readonly colors?: Colors;
}

type Paint = (text: string) => string;

/** A piece of a line with one look. */
interface Span {
  readonly text: string;
  readonly paint: Paint;
}

const LEAST = 20;
/** More is shown as it is: no answer has it, and parsing takes time. */
const MAX_LENGTH = 200_000;
const GAP = 2;
const NARROWEST = 4;
const asIs: Paint = (text) => text;

/**
 * Markdown as lines for a terminal: headings, lists, tables and code without their marks, text broken between words.
 * Takes text that a terminal would not obey. Code keeps its lines, so that it can be copied.
 */
export function renderMarkdown(text: string, options: RenderOptions): string[] {
  const given = { ...options, width: Math.max(LEAST, options.width) };
  try {
    if (text.length > MAX_LENGTH) return plain(text, given.width);
    return blocks(lexer(text.replaceAll("\t", "    ")), given);
  } catch {
    // Nested deeper than the stack.
    return plain(text, given.width);
  }
}

function plain(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => (line === "" ? [""] : breakText(line, width)));
}

/** One blank line between two blocks. */
function blocks(tokens: readonly Token[], options: RenderOptions): string[] {
  return tokens
    .map((token) => block(token as Tokens.Generic, options))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]));
}

function block(token: Tokens.Generic, options: RenderOptions): string[] {
  const { width, colors } = options;
  switch (token.type) {
    case "heading": {
      const bold = colors?.bold ?? asIs;
      const isFirst = token["depth"] === 1 && colors !== undefined;
      const paint: Paint = isFirst ? (text) => bold(colors.underline(text)) : bold;
      return wrap(spans(token, options, paint), width);
    }
    case "code":
      return code(token as Tokens.Code, options);
    case "table": {
      const { header, rows, align } = token as Tokens.Table;
      const cells = [header, ...rows].map((row) =>
        row.map(({ tokens }) => spans({ type: "cell", raw: "", tokens }, options)),
      );
      return grid(cells, align, options);
    }
    case "list":
      return list(token as Tokens.List, options);
    case "blockquote": {
      const bar = (colors?.dim ?? asIs)("│ ");
      return blocks(token.tokens ?? [], { ...options, width: width - 2 }).map((one) => bar + one);
    }
    case "hr":
      return [(colors?.dim ?? asIs)("─".repeat(Math.min(width, 40)))];
    case "space":
    case "def":
      return [];
    default:
      return wrap(spans(token, options), width);
  }
}

function list({ items, ordered, start, loose }: Tokens.List, options: RenderOptions): string[] {
  const lines: string[] = [];
  const last = (start || 1) + items.length - 1;
  for (const [i, { tokens, task, checked }] of items.entries()) {
    const number = `${(start || 1) + i}.`.padStart(`${last}.`.length);
    const mark = task ? (checked === true ? "☑" : "☐") : ordered ? number : "•";
    const indent = " ".repeat(mark.length + 1);
    const inner = { ...options, width: options.width - indent.length };
    const content = tokens.filter(({ type }) => type !== "checkbox");
    const shown = loose
      ? blocks(content, inner)
      : content.flatMap((token) => block(token as Tokens.Generic, inner));
    if (loose && i > 0) lines.push("");
    const [first = "", ...rest] = shown;
    lines.push(`${mark} ${first}`, ...rest.map((line) => (line === "" ? "" : indent + line)));
  }
  return lines;
}

function code({ text, lang = "" }: Tokens.Code, options: RenderOptions): string[] {
  const rows = lang === "csv" ? readRows(text) : undefined;
  if (rows !== undefined) {
    const cells = rows.map((row) => row.map((cell) => [{ text: cell, paint: asIs }]));
    const align = (rows[0] ?? []).map((_, i) =>
      rows.slice(1).every((row) => /^-?[\d.,]*%?$/.test(row[i] ?? "")) ? "right" : "left",
    );
    return grid(cells, align, options);
  }
  const paint = options.colors?.cyan ?? asIs;
  return text.split("\n").map((line) => (line === "" ? "" : `  ${paint(line)}`));
}

/** Undefined for what is not rows of the same length. */
function readRows(text: string): string[][] | undefined {
  const cells = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;
  const rows = text
    .split("\n")
    .map((line) =>
      Array.from(
        line.matchAll(cells),
        ([, quoted, bare = ""]) => quoted?.replaceAll('""', '"') ?? bare,
      ),
    );
  return rows.every(({ length }) => length === rows[0]?.length) ? rows : undefined;
}

/** Columns as wide as their content; where that is too wide, the widest ones are broken between words. */
function grid(
  rows: readonly (readonly (readonly Span[])[])[],
  align: readonly (string | null)[],
  { width, colors }: RenderOptions,
): string[] {
  const [bold, dim] = [colors?.bold ?? asIs, colors?.dim ?? asIs];
  const count = rows[0]?.length ?? 0;
  const widthOf = (cell: readonly Span[] = []) =>
    displayWidth(cell.map(({ text }) => text).join(""));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(1, ...rows.map((row) => widthOf(row[i]))),
  );
  const room = width - GAP * (count - 1);
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  const line = (row: readonly (readonly Span[])[], isHeader: boolean): string[] => {
    const cells = widths.map((columns, i) =>
      wrapCell(row[i] ?? [], columns, isHeader ? bold : asIs),
    );
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      cells
        .map((lines, i) => {
          const { painted = "", columns = 0 } = lines[at] ?? {};
          const blank = " ".repeat(Math.max(0, (widths[i] ?? 0) - columns));
          return align[i] === "right" ? blank + painted : painted + blank;
        })
        .join(" ".repeat(GAP))
        .trimEnd(),
    );
  };
  const [header = [], ...body] = rows;
  const rule = dim(widths.map((columns) => "─".repeat(columns)).join(" ".repeat(GAP)));
  return [...line(header, true), rule, ...body.flatMap((row) => line(row, false))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function wrapCell(cell: readonly Span[], width: number, paint: Paint) {
  const bare = cell.map(({ text }) => ({ text, paint: asIs }));
  const columns = wrap(bare, width).map(displayWidth);
  const painted = wrap(cell, width).map(paint);
  return painted.map((line, i) => ({ painted: line, columns: columns[i] ?? 0 }));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

function spans(token: Tokens.Generic, options: RenderOptions, outer: Paint = asIs): Span[] {
  const { colors } = options;
  const inner = (paint: Paint | undefined): Span[] =>
    (token.tokens ?? []).flatMap((child) =>
      spans(child as Tokens.Generic, options, paint ? (text) => outer(paint(text)) : outer),
    );
  const leaf = (text: string, paint: Paint | undefined): Span[] => [
    { text, paint: paint ? (shown) => outer(paint(shown)) : outer },
  ];
  switch (token.type) {
    case "strong":
      return inner(colors?.bold);
    case "em":
      return inner(colors?.underline);
    case "codespan":
      return leaf(decoded(token["text"]), colors?.cyan);
    case "br":
      return leaf("\n", undefined);
    case "link":
    case "image": {
      const { href, text } = token as unknown as Tokens.Link;
      const label = token.type === "link" ? inner(undefined) : leaf(text, undefined);
      const isSame = href === "" || href === text || href === `mailto:${text}`;
      return isSame ? label : [...label, ...leaf(` (${href})`, colors?.dim)];
    }
    default:
      if (token.tokens !== undefined) return inner(undefined);
      return leaf(decoded(token["text"] ?? token.raw), undefined);
  }
}

function decoded(text: unknown): string {
  return String(text).replace(
    /&(amp|lt|gt|quot|#39);/g,
    (whole, name: string) => ENTITIES[name] ?? whole,
  );
}

/** Breaks between words and paints afterwards, so that colours have no width. */
function wrap(given: readonly Span[], width: number): string[] {
  const text = given.map((span) => span.text).join("");
  const lines: string[] = [];
  let offset = 0;
  for (const part of text.split("\n")) {
    let at = 0;
    for (const line of part.trim() === "" ? [""] : breakText(part, width)) {
      at = Math.max(at, part.indexOf(line, at));
      lines.push(paintRange(given, offset + at, offset + at + line.length));
      at += line.length;
    }
    offset += part.length + 1;
  }
  return lines;
}

function paintRange(given: readonly Span[], from: number, to: number): string {
  let start = 0;
  let painted = "";
  for (const { text, paint } of given) {
    const piece = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (piece !== "") painted += paint(piece);
    start += text.length;
  }
  return painted;
}
