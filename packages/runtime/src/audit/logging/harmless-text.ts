/**
 * What a terminal would obey or a reader would not see: controls (newlines among them), lone
 * surrogates, line separators, and characters that are invisible by definition.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** The text on one line, hidden characters as JSON escapes them; JSON stays the same JSON. */
export function harmlessText(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}
