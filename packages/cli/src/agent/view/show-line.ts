import {
  displayWidth,
  plural,
  quoteLine,
  truncateWidth,
  visibleLine,
} from "@skillwright/core/internal";
import type { Colors } from "../../terminal/colors.ts";
import { breakText } from "../../terminal/break-text.ts";
import type { ViewLine } from "./view-state.ts";

export interface ShowOptions {
  readonly width: number;
  readonly colors: Colors;
  /** Of a run inside a run. */
  readonly isApart?: boolean;
}

const LABEL_WIDTH = 9;
const MAX_TEXT_LINES = 3;
const MAX_OUTPUT_LINES = 5;
/** More than fits into the lines below, at any width. */
const MAX_UNITS = 20_000;

/** A line that stays, in as many lines of a terminal as it takes, within its width. */
export function showLine(
  { label, text, tone, remark, output }: ViewLine,
  { width, colors, isApart = false }: ShowOptions,
): string[] {
  const { dim, bold, red } = colors;
  const margin = isApart ? "  " : "";
  const room = Math.max(10, width - LABEL_WIDTH - margin.length);
  const paintLabel = tone === "bad" ? red : dim;
  const gap = " ".repeat(Math.max(1, LABEL_WIDTH - displayWidth(label)));
  const hang = margin + " ".repeat(LABEL_WIDTH);
  const shown = breakText(quoteLine(text, MAX_UNITS), room, MAX_TEXT_LINES);
  const [first = "", ...more] = shown.map((line) => (tone === "strong" ? bold(line) : line));
  const lines = [
    `${margin}${paintLabel(label)}${gap}${first}`.trimEnd(),
    ...more.map((line) => hang + line),
  ];
  if (remark !== undefined) {
    const said = breakText(quoteLine(remark, MAX_UNITS), room, MAX_TEXT_LINES);
    lines.push(...said.map((line) => hang + dim(line)));
  }
  if (output !== undefined) {
    lines.push(...showOutput(output, room).map((line) => hang + dim(line)));
  }
  return lines;
}

function showOutput({ text, from }: Required<ViewLine>["output"], width: number): string[] {
  const lines = text.trimEnd().split(/\r\n?|\n/);
  const fits = lines.length <= MAX_OUTPUT_LINES + 1;
  const most = fits ? lines.length : MAX_OUTPUT_LINES;
  const show = (line: string) =>
    truncateWidth(`│ ${visibleLine(line.slice(0, MAX_UNITS).replaceAll("\t", "    "))}`, width);
  if (fits) return lines.map(show);
  const note = truncateWidth(`│ … ${plural(lines.length - most, "more line")}`, width);
  if (from === "start") return [...lines.slice(0, most).map(show), note];
  // The first line of a failure says what is wrong, the last ones where.
  return [show(lines[0] ?? ""), note, ...lines.slice(1 - most).map(show)];
}
