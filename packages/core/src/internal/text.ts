import { CONTROL, SMUGGLING, ZERO_WIDTH_SOURCE } from "./hidden-characters.ts";

/** Text that others wrote, made safe to read. Tabs and newlines are not hidden characters. */

const INVISIBLE = [SMUGGLING.source, ZERO_WIDTH_SOURCE, String.raw`\p{Cs}`].join("|");
const HIDDEN = [CONTROL.source, String.raw`[\u2028\u2029]`, INVISIBLE].join("|");

const invisible = lazyPattern(INVISIBLE);
const hidden = lazyPattern(HIDDEN);
const hiddenOrBreak = lazyPattern(`[\\t\\n]|${HIDDEN}`);
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const BREAKS = /[\s\u0000-\u001f\u007f-\u009f]+/g;

/** Compiled when first needed: that takes milliseconds, and most texts are plain. */
function lazyPattern(source: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= new RegExp(source, "gu"));
}

/** Texts of which every character is in this set hide nothing: most are. */
const PLAIN =
  /^[\t\n\x20-\x7e\xa0-\xac\xae-\u034e\u0370-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u3163\u3165-\ud7ff]*$/;

function isPlainLine(text: string): boolean {
  return PLAIN.test(text) && !/[\t\n]/.test(text);
}

/** Without hidden characters, every line break a newline. What a model reads of a text. */
export function stripHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n").replace(hidden(), "");
}

/** On one line, without hidden characters. */
export function plainLine(text: string): string {
  const seen = PLAIN.test(text) ? text : text.replace(invisible(), "");
  return seen.replaceAll(BREAKS, " ").trim();
}

/** One line for people: hidden characters, tabs and line breaks appear as `\u{202e}`. */
export function visibleLine(text: string): string {
  return isPlainLine(text) ? text : text.replace(hiddenOrBreak(), escapeCharacter);
}

/** The same for several lines; tabs and newlines stay. */
export function visibleLines(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll("\r\n", "\n").replace(hidden(), escapeCharacter);
}

/** A quotation of somebody else's text in a message: one line, white space collapsed, bounded. */
export function quoteLine(text: string, length = 300): string {
  // Cut first: what is left out need not be looked at.
  const start = text.slice(0, length * 4).replaceAll(/\s+/g, " ");
  return truncate(visibleLine(start.trim()), length);
}

/** A name in a message: in quotes, bounded, with hidden characters as `\\u{202e}`. */
export function quoteName(name: string, length = 120): string {
  return visibleLine(JSON.stringify(truncate(name, length)));
}

/** The first of some names, and how many more there are. */
export function quoteNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map((name) => quoteName(name));
  return `${shown.join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
}

export function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Hidden characters as JSON escapes them: JSON stays the same JSON, on one line. */
export function escapeHiddenInJson(json: string): string {
  if (isPlainLine(json)) return json;
  return json.replace(hiddenOrBreak(), (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

/** At most `length` UTF-16 units, the last one an ellipsis when something was cut. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${wholeCharacters(text.slice(0, length - 1)).trimEnd()}…`;
}

/** The beginning and the end of a long text, with a note about what is missing between them. */
export function truncateMiddle(
  text: string,
  length: number,
  note = (left: number) => `\n… ${plural(left, "character")} left out …\n`,
): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const head = wholeCharacters(text.slice(0, half));
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, "");
  return head + note(text.length - head.length - tail.length) + tail;
}

function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

/** `1 file`, `2 files`; `plural(2, "entry", "entries")` where an `s` is not enough. */
export function plural(count: number, noun: string, several = `${noun}s`): string {
  // Number formats take milliseconds to load.
  const number = count < 1000 ? String(count) : count.toLocaleString("en");
  return `${number} ${count === 1 ? noun : several}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** For text and double-quoted attributes. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
