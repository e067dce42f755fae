/** What emoji are made with: they are no trick. */
const EMOJI_PART = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200d\ufe0f]`;

/** What a terminal would obey, and what a reader would not see. */
const HIDDEN = new RegExp(
  String.raw`(?!${EMOJI_PART})(?:[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point})`,
  "gu",
);

/** Text that somebody else wrote as one line without tricks: what is hidden stands as `\u{202e}`. */
export function visibleLine(text: string): string {
  return text
    .replaceAll(/[\t\n\r ]+/g, " ")
    .trim()
    .replace(HIDDEN, (character) => String.raw`\u{${character.codePointAt(0)?.toString(16)}}`);
}
