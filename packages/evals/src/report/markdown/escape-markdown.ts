import { quoteLine } from "@skillwright/core/internal";

const MAX_TEXT = 10_000;

/**
 * Text as text, also in a cell of a table: no emphasis, no link, no HTML, and nobody is called. An empty
 * width after `@` and `#` keeps the host of a pull request from making a mention or a reference of it.
 */
export function escapeMarkdown(text: string): string {
  return quoteLine(text, MAX_TEXT)
    .replaceAll("&", "&amp;")
    .replaceAll(/[\\`*_[\]~$!]/g, String.raw`\$&`)
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;")
    .replaceAll("://", "&#58;//")
    .replaceAll(/www\./gi, (match) => `${match.slice(0, 3)}&#46;`)
    .replaceAll(/@/g, "&#64;&#8203;")
    .replaceAll(/(?<!&)#/g, "&#35;&#8203;");
}

/** For names that are copied; not in a table, where a pipe would end the cell. */
export function codeSpan(text: string): string {
  const line = quoteLine(text, MAX_TEXT);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = line.startsWith("`") || line.endsWith("`") || line === "" ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}
