/** The 1-based position of an offset; offsets outside the text count as its start or end. */
export function lineAndColumnAt(text: string, offset: number): { line: number; column: number } {
  const end = Math.min(Math.max(0, offset), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: end - lineStart + 1 };
}
