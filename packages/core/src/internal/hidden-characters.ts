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

export const ZERO_WIDTH_SOURCE = String.raw`(?!${SEEN}|${SMUGGLING.source})[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]`;

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
