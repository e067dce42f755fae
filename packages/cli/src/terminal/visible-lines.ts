import { visibleText } from "./visible-text.ts";

/** Several lines that somebody else wrote; line breaks and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : visibleText(part)))
    .join("");
}
