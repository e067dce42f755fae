import { CONTROL, SMUGGLING } from "./invisible-characters.ts";

/** Most texts have none of it. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const MAY_CHANGE = /[^ -~\u00a1-\u00ac\u00ae-\u034e\u0370-\u0600\u3001-\ud7ff]|^ | $| {2}/;
// oxlint-disable-next-line no-control-regex -- nothing in a prompt may act as a control
const BREAKS = /[\s\u0000-\u001f\u007f-\u009f]+/g;
const HIDDEN = new RegExp(`${SMUGGLING.source}|\\p{Cs}`, "gu");
const NOT_PLAIN = new RegExp(`[^\\S ]|${CONTROL.source}|${SMUGGLING.source}|\\p{Cs}`, "u");

/** On one line, and without what hides or reorders a text, acts on a terminal, or is half a character. */
export function plainLine(text: string): string {
  return MAY_CHANGE.test(text) ? text.replace(HIDDEN, "").replace(BREAKS, " ").trim() : text;
}

/**
 * Where a text has a line break, or what `plainLine` leaves out; -1 when it is plain. Zero-width
 * characters are a part of real writing.
 */
export function indexOfHidden(text: string): number {
  return MAY_CHANGE.test(text) ? text.search(NOT_PLAIN) : -1;
}
