/** The start of a text, and how much is missing. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length)} … (${text.length - length} more characters)`;
}
