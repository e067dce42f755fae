/** The beginning of a text, saying so when there is more. Never cuts a character in two. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  const line = cut.lastIndexOf("\n");
  const kept = line > most / 2 ? cut.slice(0, line) : cut;
  return `${kept}\n[… ${text.length - kept.length} more characters]`;
}
