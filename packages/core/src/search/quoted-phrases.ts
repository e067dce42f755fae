// The bounds keep the time linear where quotes do not close.
const QUOTED =
  /"([^"\n]{2,80})"|“([^”\n]{2,80})”|「([^」\n]{2,80})」|‘([^’\n]{2,80})’|`([^`\n]{2,80})`|(?<![\p{L}\p{N}])'([^'\n]{2,80})'(?![\p{L}\p{N}])/gu;

/** What stands in quotation marks, one a line: authors quote what people will say. */
export function quotedPhrases(text: string): string {
  const phrases: string[] = [];
  for (const match of text.matchAll(QUOTED)) {
    phrases.push(match.slice(1).find((phrase) => phrase !== undefined) ?? "");
  }
  return phrases.join("\n");
}
