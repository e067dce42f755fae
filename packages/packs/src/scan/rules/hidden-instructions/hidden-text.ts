import type { ScanFile } from "../../context/scan-line.ts";
import { isTaught } from "../../context/teaching-context.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";
import { foldText } from "../../text/fold-character.ts";
import { instructsHarm } from "./instructs-harm.ts";

const STYLE =
  /style\s*=\s*["'][^"'>]{0,120}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:\D|$)|color\s*:\s*(?:white|#fff(?:fff)?\b|transparent|rgba?\(255,\s*255,\s*255)|(?:left|top|text-indent)\s*:\s*-\d{3,}|height\s*:\s*0(?:px)?\s*;|width\s*:\s*0(?:px)?\s*;)|<(?:template|noscript)\b|<font[^>]{0,40}color\s*=\s*["']?(?:white|#fff)|\\color\{white\}|\$\\color/i;
const BLANK_LINES = /(?:[ \t]{0,200}\n){80,}/g;
const FAR_RIGHT = /\S[ \t]{150,}\S|^[ \t]{200,}\S/gm;
const REACH = 1500;

export const hiddenText: ScanCheck = {
  id: "hidden-text",
  severity: "high",
  category: "hidden-instructions",
  summary:
    "Instructions stand where nobody looks: invisible by style, far to the right, or below hundreds of blank lines.",
  explanation:
    "White or zero-sized text, text beyond the edge of the screen and text after a very long gap are read by a model and by no reviewer. There is no honest use of it for instructions.",
  words: [
    "display:",
    "display :",
    "visibility",
    "font-size",
    "opacity",
    "color",
    "<template",
    "<noscript",
    "text-indent",
    "left:",
    "height:",
  ],
  look: (line) => {
    const match = STYLE.exec(line.raw);
    if (match === null || line.isCode || line.zone === "config") return undefined;
    const text = line.file.text.slice(line.start + match.index, line.start + match.index + REACH);
    const end = text.search(/<\/(?:div|span|p|font|template|noscript|td|section)>/i);
    const harm = instructsHarm(foldText(end === -1 ? text : text.slice(0, end)));
    return harm === undefined || isTaught(line)
      ? undefined
      : { message: `Invisible text says "${harm}"` };
  },
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (hasRun(file.text, NEWLINE, BLANKS)) yield* orders(file, BLANK_LINES);
      if (hasRun(file.text, SPACE, GAP)) yield* orders(file, FAR_RIGHT);
    }
  },
};

const NEWLINE = 10;
const SPACE = 32;
const BLANKS = 80;
const GAP = 150;

function* orders(file: ScanFile, gaps: RegExp): Generator<PlacedSuspicion> {
  for (const gap of file.text.matchAll(gaps)) {
    const after = gap.index + gap[0].length - 1;
    const harm = instructsHarm(foldText(file.text.slice(after, after + REACH)));
    if (harm !== undefined)
      yield { line: file.lineAt(after), message: `Far from what is seen it says "${harm}"` };
  }
}

/** Whether about so many of a character, or of blanks, stand in a row; looks only now and then. */
function hasRun(text: string, code: number, length: number): boolean {
  const step = length >> 2;
  let hits = 0;
  for (let at = 0; at < text.length; at += step) {
    const character = text.charCodeAt(at);
    hits = character === code || character === SPACE || character === 9 ? hits + 1 : 0;
    if (hits >= 3 && isBlank(text, at - 2 * step, at)) return true;
  }
  return false;
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) > SPACE) return false;
  }
  return true;
}
