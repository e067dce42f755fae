import type { ScanLine } from "../../context/scan-line.ts";
import { isTaught } from "../../context/teaching-context.ts";
import type { ScanCheck } from "../../scan-check.ts";
import { foldText } from "../../text/fold-character.ts";
import { instructsHarm } from "./instructs-harm.ts";

/** More than a note for whoever edits the text. */
const GRAVE =
  /https?:|curl|wget|base64|secret|credential|passw|token|api[ _-]?key|\.ssh|\.env|\bignore\b|override|system prompt|(?:do not|don't|never|without) (?:tell|mention|inform|ask|show|notify)|exfiltrat|rm -rf|you are now/;
const MAX_COMMENT = 4000;
const OPENINGS =
  /<!--|^\s{0,3}\[(?:\/\/|comment|_|\w{0,12})\]:\s*(?:#|<>)\s*["'(]|<div[^>]{0,60}\bhidden\b|<details[^>]{0,40}\bhidden\b|!\[/i;

export const hiddenComment: ScanCheck = {
  id: "hidden-comment",
  severity: "high",
  category: "hidden-instructions",
  summary: "A comment or an image's text, which people do not see, gives the model harmful orders.",
  explanation:
    "A rendered page shows no comments, a model reads all of them. Comments about the text, licences or generated sections are ordinary; orders to send, run, hide or override are not. What a skill wants done belongs where the user sees it.",
  words: ["<!--", "[//]:", "[comment]:", "]: #", "]: <>", "hidden", "!["],
  look: (line) => {
    const opening = line.file.kind === "script" ? null : OPENINGS.exec(line.raw);
    if (opening === null || line.zone === "fence") return undefined;
    const hidden = hiddenText(line, opening.index, opening[0]);
    const harm = instructsHarm(foldText(hidden));
    if (harm === undefined || isAbout(hidden)) return undefined;
    const taught =
      line.zone !== "comment" && isTaught(line) && isInCodeSpan(line.raw, opening.index);
    if (taught) return undefined;
    const severity = GRAVE.test(foldText(hidden)) ? "high" : "medium";
    return { message: `Text that people do not see says "${harm}"`, severity };
  },
};

function hiddenText(line: ScanLine, at: number, opening: string): string {
  if (opening === "![") return /!\[([^\]]{0,600})\]/.exec(line.raw.slice(at))?.[1] ?? "";
  if (!opening.startsWith("<")) return line.raw.slice(at);
  const from = line.start + at;
  const text = line.file.text.slice(from, from + MAX_COMMENT);
  const end = opening === "<!--" ? text.indexOf("-->") : text.search(/<\/(?:div|details)>/i);
  return end === -1 ? text : text.slice(0, end);
}

/** Notes for editors and linters. */
function isAbout(text: string): boolean {
  return /^<!--\s*(?:markdownlint|prettier|textlint|vale|eslint|cspell|toc|mermaid|license|copyright|spdx|generated|auto-?generated|todo\b|fixme\b)/i.test(
    text,
  );
}

function isInCodeSpan(text: string, at: number): boolean {
  return (text.slice(0, at).split("`").length - 1) % 2 === 1;
}
