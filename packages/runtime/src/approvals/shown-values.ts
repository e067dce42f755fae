import {
  canonicalJson,
  escapeCharacter,
  truncateMiddle,
  visibleLine as withoutHidden,
  visibleLines as withoutHiddenInLines,
} from "@skillwright/core/internal";
import type { JsonValue } from "./approval.ts";

/**
 * What a person who approves must notice beyond what is hidden everywhere: characters without a
 * meaning or a picture of their own, blanks that are not a space, format characters, and joiners and
 * selectors that other texts may hold but commands have no use for. Those of emoji stay.
 */
const SUSPICIOUS = new RegExp(
  [
    String.raw`[\p{Co}\p{Cn}\ufffc\u2800]`,
    String.raw`(?! )\p{Zs}`,
    String.raw`(?!\u200d\p{Extended_Pictographic})\p{Cf}`,
    String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  ].join("|"),
  "gu",
);

/** Letters that run from right to left and take the digits and signs beside them along. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/** Blanks that push what follows out of sight. Tried only where a gap begins: time stays linear. */
const LONG_GAP = /(?<![ \t])[ \t]{60,}/g;

/** One line in reading order: what is hidden, and what would change the order, appears as `\u{…}`. */
export function visibleLine(text: string): string {
  return escapeSuspicious(withoutHidden(withoutGaps(text))).replace(RIGHT_TO_LEFT, escapeCharacter);
}

/** Newlines and tabs stay; what is hidden appears as `\u{…}`. */
export function visibleLines(text: string): string {
  return escapeSuspicious(withoutHiddenInLines(withoutGaps(text)));
}

/** Whether a person would not see all of a text. Line breaks and tabs are seen, quoted or as they are. */
export function hidesSomething(text: string): boolean {
  const lines = text.replaceAll("\r", "\n");
  return visibleLines(lines) !== lines;
}

/** The line of a file, from 1, in which something is hidden. A byte order mark at its start is not. */
export function firstHiddenLine(text: string): number | undefined {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const index = lines.findIndex((line) => visibleLines(line) !== line);
  return index === -1 ? undefined : index + 1;
}

function escapeSuspicious(text: string): string {
  return text.replace(SUSPICIOUS, escapeCharacter);
}

function withoutGaps(text: string): string {
  return text.replace(LONG_GAP, (gap) => `\\u{20}×${gap.length}`);
}

/** Something made fit to be shown. */
interface Shown {
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

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
const MAX_CHARACTERS = 8000;
const MAX_ITEMS = 50;

/** Every argument, quoted where its ends or characters could be mistaken. */
export function showCommand(command: readonly string[]): Shown {
  return bounded(command.map(showText).join(" "));
}

export function showInput(input: JsonValue): Shown {
  return bounded(visibleLine(canonicalJson(input)));
}

export function showList(values: readonly string[]): Shown {
  const shown = values.slice(0, MAX_ITEMS).map(showText);
  const left = values.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more`);
  const { text, isCut } = bounded(shown.join(", "));
  return { text, isCut: isCut || left > 0 };
}

/** A name or path; quoted when it is not plain. */
export function showText(text: string): string {
  return PLAIN.test(text) ? text : visibleLine(JSON.stringify(text));
}

function bounded(text: string): Shown {
  return { text: cutMiddle(text, MAX_CHARACTERS), isCut: text.length > MAX_CHARACTERS };
}
