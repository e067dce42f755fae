import { displayWidth } from "@skillwright/core/internal";
import { breakText } from "./break-text.ts";

const FENCE = /^\s*(?:`{3,}|~{3,})/;
/** Blanks, quotation marks and the mark of a list item: what goes on below begins under what follows. */
const LEAD = /^\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+)?/;
const LEAST = 20;

/** Breaks the lines of a Markdown text between words; code and tables stay as they are. */
export function wrapMarkdown(text: string, width: number): string {
  let isCode = false;
  return text
    .split("\n")
    .flatMap((line) => {
      const isFence = FENCE.test(line);
      if (isFence) isCode = !isCode;
      if (isFence || isCode || line.startsWith("|") || displayWidth(line) <= width) return [line];
      const lead = LEAD.exec(line)?.[0] ?? "";
      const room = Math.max(LEAST, width - displayWidth(lead));
      const hang = lead.replace(/[^\s>]/g, " ");
      return breakText(line.slice(lead.length), room).map((piece, i) => (i ? hang : lead) + piece);
    })
    .join("\n");
}
