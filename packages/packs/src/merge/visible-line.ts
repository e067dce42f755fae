const MAX_CHARACTERS = 400;

/**
 * What a terminal would obey or a reader would not see: controls except the tab, lone surrogates,
 * separators of lines, and what is invisible by definition.
 */
const HIDDEN = /(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** One line of somebody else's text, bounded; what is hidden in it stands as `\u{…}`. */
export function visibleLine(line: string): string {
  const short =
    line.length > MAX_CHARACTERS
      ? `${line.slice(0, MAX_CHARACTERS)}… ${line.length - MAX_CHARACTERS} more characters`
      : line;
  return short.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
