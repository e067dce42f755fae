import type { Diagnostic } from "@skillwright/core";
import type { Colors } from "../terminal/colors.ts";
import { fitLine } from "./fit-line.ts";

export interface CodeFrameOptions {
  readonly colors: Colors;
  readonly width: number;
  /** Colours the underline. */
  readonly paint: (text: string) => string;
}

export interface CodeFrame {
  /** Columns of the line numbers, for aligning what is printed around the frame. */
  readonly gutter: number;
  readonly lines: readonly string[];
}

type Span = Pick<Diagnostic, "line" | "column" | "endLine" | "endColumn">;

interface Row {
  readonly line: number;
  /** UTF-16 range to underline; context lines have none. */
  readonly mark?: readonly [from: number, to: number];
}

/** Below this a frame shows nothing worth reading. */
const MIN_SOURCE_WIDTH = 20;

/** The source around a span with the span underlined; no lines when the span is beyond the text. */
export function codeFrame(
  lines: readonly string[],
  span: Span,
  { colors, width, paint }: CodeFrameOptions,
): CodeFrame {
  const rows = lines[span.line - 1] === undefined ? [] : chooseRows(lines, span);
  const gutter = Math.max(1, ...rows.map(({ line }) => String(line).length));
  if (rows.length === 0) return { gutter, lines: [] };

  const sourceWidth = Math.max(MIN_SOURCE_WIDTH, width - gutter - " | ".length);
  const edge = (label: string): string => colors.dim(`${label.padStart(gutter)} |`);

  const output = [edge("")];
  let previous: number | undefined;
  for (const { line, mark } of rows) {
    if (previous !== undefined && line > previous + 1) output.push(colors.dim("..."));
    previous = line;
    const [from, to] = mark ?? [0, 0];
    const { text, before, marked } = fitLine(lines[line - 1] ?? "", from, to, sourceWidth);
    output.push(`${edge(String(line))} ${text}`.trimEnd());
    if (mark === undefined) continue;
    const underline = (line === span.line ? "^" : "~").padEnd(marked, "~");
    output.push(`${edge("")} ${" ".repeat(before)}${paint(underline)}`);
  }
  return { gutter, lines: output };
}

function chooseRows(lines: readonly string[], span: Span): Row[] {
  const end = span.endColumn <= 1 ? span.endLine - 1 : span.endLine;
  const lastLine = Math.min(Math.max(span.line, end), lines.length);
  if (lastLine > span.line) return multilineRows(lines, span, lastLine);

  const text = lines[span.line - 1] ?? "";
  const from = Math.max(0, span.column - 1);
  const to = span.endLine > span.line ? text.length : span.endColumn - 1;
  const context = contextLines(lines, span.line).map((line): Row => ({ line }));
  const rows: Row[] = [...context, { line: span.line, mark: [from, Math.max(from, to)] }];
  return rows.toSorted((a, b) => a.line - b.line);
}

/** Start and end of a long span say what it covers; its middle does not. */
function multilineRows(lines: readonly string[], span: Span, lastLine: number): Row[] {
  const numbers = new Set([span.line, span.line + 1, lastLine]);
  return Array.from(numbers, (line): Row => {
    const text = lines[line - 1] ?? "";
    const from = line === span.line ? Math.max(0, span.column - 1) : indentOf(text);
    const endsHere = line === span.endLine && span.endColumn > 1;
    const to = endsHere ? Math.min(span.endColumn - 1, text.length) : text.length;
    return line === span.line || from < to ? { line, mark: [from, Math.max(from, to)] } : { line };
  });
}

/** Lines without which the marked one cannot be understood: its parent, or its neighbours. */
function contextLines(lines: readonly string[], line: number): number[] {
  const text = lines[line - 1] ?? "";
  if (!/[\p{L}\p{N}]/u.test(text)) {
    return [line - 1, line + 1].filter((near) => (lines[near - 1] ?? "") !== "");
  }
  const indent = indentOf(text);
  if (indent === 0) return [];
  for (let above = line - 1; above >= 1; above -= 1) {
    const candidate = lines[above - 1] ?? "";
    if (candidate.trim() !== "" && indentOf(candidate) < indent) return [above];
  }
  return [];
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
