/** The words of a text; for long lists of plain names. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
