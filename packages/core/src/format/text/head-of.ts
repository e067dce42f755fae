/** No frontmatter that may be read reaches beyond this. */
const MAX_HEAD_LENGTH = 20_000;

/**
 * The text up to the end of what looks like the frontmatter, found without touching the body. Good
 * enough to try first: when nothing can be read of it, the whole text must be tried.
 */
export function headOf(text: string): string {
  let from = 3;
  for (;;) {
    const newline = text.indexOf("\n---", from);
    if (newline === -1 || newline > MAX_HEAD_LENGTH) return text.slice(0, MAX_HEAD_LENGTH);
    let end = newline + 4;
    while (text[end] === " " || text[end] === "\t" || text[end] === "\r") end++;
    if (end >= text.length || text[end] === "\n") return text.slice(0, end + 1);
    from = end;
  }
}
