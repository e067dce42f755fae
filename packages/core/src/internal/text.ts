/**
 * Characters that a reader does not see and a model does, or that a terminal obeys: one set, in three
 * parts. Everything that strips, shows or reports hidden characters is built on it.
 */

/** Language tags (a hidden alphabet), and the controls that show text in another order than it has. */
export const SMUGGLING = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/u;

/** C0 and C1 controls except tab and newline; a terminal obeys them. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/u;

/** Scripts in which U+200C and U+200D change how a word looks. */
const JOINING = ["Arab", "Syrc", "Nkoo", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml"]
  .concat(["Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt", "Java", "Bali", "Adlm"])
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");
/** One of theirs that is seen: U+061C belongs to many of them and is not. */
const LETTER = String.raw`(?!\p{Default_Ignorable_Code_Point})[${JOINING}]`;

/** Invisible on their own, but part of what is seen: emoji sequences, keycaps, joining scripts. */
const SEEN = [
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=[#*0-9])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})`,
  `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
].join("|");

const ZERO_WIDTH_SOURCE = String.raw`(?!${SEEN}|${SMUGGLING.source})[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]`;

let zeroWidthPattern: RegExp | undefined;

/** All other invisible code points, unless they are part of what is seen. Made on first use: that takes milliseconds. */
export function zeroWidth(): RegExp {
  return (zeroWidthPattern ??= new RegExp(ZERO_WIDTH_SOURCE, "u"));
}

/** Found in every text that holds `SMUGGLING` or `CONTROL`, or an escape that may stand for them. */
export const MAY_HIDE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\udb40|\\[^nt"\\]/;

const NOT_IN_A_NAME = String.raw`[^\S ]|${CONTROL.source}|${SMUGGLING.source}|\p{Cs}`;

/** Where a name has white space but a space, a control, or what hides or reorders it; -1 when it has not. */
export function indexOfUnsafe(name: string): number {
  return /^[!-~]*$/.test(name) ? -1 : name.search(new RegExp(NOT_IN_A_NAME, "u"));
}

/** `U+202E` for the character at an index. */
export function characterName(text: string, index: number): string {
  return `U+${(text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

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

/** The tags that tell a model where the text of a skill, a file or a result begins and ends. */
export const FRAME_TAGS = [
  "available_skills",
  "skill_content",
  "skill_files",
  "attached_file",
  "tool_result",
] as const;

export type FrameTag = (typeof FRAME_TAGS)[number];

const MAX_ATTRIBUTE = 4096;
const FORGED = new RegExp(
  String.raw`[<\ufe64\uff1c](?=[\s/]*(?:${FRAME_TAGS.join("|")})(?!\w))`,
  "giu",
);

/**
 * Text from outside on its way into a prompt: nothing in it is hidden, and nothing in it reads as a
 * frame. Everything a model sees of skills, files, scripts and servers passes through here once;
 * a second time changes nothing.
 */
export function promptText(text: string): string {
  return stripHidden(text).replaceAll(FORGED, "&lt;");
}

const ESCAPED = new RegExp(String.raw`&lt;(?=[\s/]*(?:${FRAME_TAGS.join("|")})(?!\w))`, "giu");

/** What `promptText` was given, where a model repeats what it read of it. */
export function unescapedFrames(text: string): string {
  return text.replaceAll(ESCAPED, "<");
}

/** The same on one line, such as a name or a path, with at most `length` UTF-16 units. */
export function promptLine(text: string, length = Number.POSITIVE_INFINITY): string {
  // Cut first: what is left out need not be looked at.
  return truncate(promptText(plainLine(text.slice(0, length * 4))), length);
}

/** Text from outside in its frame. */
export function frame(
  tag: FrameTag,
  attributes: Readonly<Record<string, string | number | undefined>>,
  text: string,
): string {
  return frameParts(tag, attributes, [promptText(text)]);
}

/** A frame around parts that went through `promptText` or are frames themselves. */
export function frameParts(
  tag: FrameTag,
  attributes: Readonly<Record<string, string | number | undefined>>,
  parts: readonly string[],
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${attributeText(String(value))}"`],
  );
  return [`<${tag}${written.join("")}>`, ...parts, `</${tag}>`].join("\n");
}

function attributeText(value: string): string {
  // Escaping covers `<`; its look-alikes are left for the expression.
  const line = truncate(plainLine(value), MAX_ATTRIBUTE);
  return escapeXml(line).replaceAll(FORGED, "&lt;");
}
