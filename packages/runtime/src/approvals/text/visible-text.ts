import {
  escapeCharacter,
  visibleLine as withoutHidden,
  visibleLines as withoutHiddenInLines,
} from "@skillwright/core/internal";

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
