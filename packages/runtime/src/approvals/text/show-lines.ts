import { truncateMiddle } from "@skillwright/core/internal";
import { visibleLines } from "./visible-text.ts";

/** Something made fit to be shown. */
export interface Shown {
  readonly text: string;
  /** Whether a part was left out; the text says how much. */
  readonly isCut: boolean;
}

/** Longer lines are cut. */
export const MAX_LINE = 400;

/** Both ends of a text, on one line: what follows a line break could be taken for a line of ours. */
export function cutMiddle(text: string, length: number): string {
  return truncateMiddle(text, length, (left) => ` … (${left} characters are not shown) … `);
}

/** Lines with a mark before each, so that none can be taken for one of ours; long ones are cut. */
export function showLines(text: string): Shown {
  let isCut = false;
  const lines = visibleLines(text.replaceAll("\r\n", "\n"))
    .split("\n")
    .map((line) => {
      isCut ||= line.length > MAX_LINE;
      return `  | ${cutMiddle(line, MAX_LINE)}`;
    });
  return { text: lines.join("\n"), isCut };
}
