import { plainText } from "./plain-text.mjs";

/** Text as text: no emphasis, links, tags, formulas or table cells can come out of it. */
export function escapeMarkdown(text) {
  return plainText(text)
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\*[\]{}|~$]/g, "\\$&")
    .replaceAll("`", "&#96;")
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replaceAll("://", "&#58;//")
    .replaceAll(/(?<=\bwww)\./gi, "&#46;")
    .replaceAll(/(?<=[\w.+-])@(?=\w)/g, "&#64;");
}

/** Also where a line begins: no heading, list, rule or quote. */
export function escapeMarkdownBlock(text) {
  return escapeMarkdown(text)
    .replace(/^[#+=:-]/, "\\$&")
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");
}
