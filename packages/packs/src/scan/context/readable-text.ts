import { extensionOf, fileKind, type Language, languageOf } from "./file-kind.ts";
import { notebookText } from "./notebook-text.ts";
import { spelledCommands } from "./spelled-commands.ts";

const MAX_JOINED_LINES = 40;
const MAX_JOINED = 1800;
const FENCE = /^ {0,12}(`{3,}|~{3,})[ \t]*([\w+#.-]*)/;
const ENDS_OPEN = /(?:\\|(?<!\|)\||&&|\|\|)[ \t]*$/;

/**
 * The text as an interpreter reads it: cells of notebooks, continued lines on their first line, and names
 * of commands instead of variables that hold them. A line keeps its number.
 */
export function readableText(path: string, text: string): string {
  const source = extensionOf(path) === "ipynb" ? notebookText(text) : text;
  const isOpen = /[\\|&][ \t]*\n/.test(source);
  const isNamed = /[$]\{?\w/.test(source) && /\w=/.test(source);
  if (!isOpen && !isNamed) return source;
  const kind = fileKind(path, source);
  if (kind === "config") return source;
  const language = languageOf(extensionOf(path), source);
  const lines = source.split("\n");
  const blocks =
    kind === "script" ? [{ first: 0, end: lines.length, language }] : fencedBlocks(lines);
  for (const { first, end, language } of blocks) {
    if (isOpen) joinContinued(lines, first, end, language);
    if (isNamed && language !== "javascript" && language !== "powershell")
      spelledCommands(lines, first, end);
  }
  return lines.join("\n");
}

interface Block {
  readonly first: number;
  readonly end: number;
  readonly language: Language;
}

function fencedBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open:
    | { readonly marks: string; readonly first: number; readonly language: Language }
    | undefined;
  for (const [index, line] of lines.entries()) {
    const marker = line.includes("```") || line.includes("~~~") ? FENCE.exec(line) : null;
    if (marker === null) continue;
    const [, marks = "", name = ""] = marker;
    if (open === undefined)
      open = {
        marks: marks.slice(0, 3),
        first: index + 1,
        language: languageOf(name.toLowerCase()),
      };
    else if (marks.startsWith(open.marks) && name === "") {
      blocks.push({ first: open.first, end: index, language: open.language });
      open = undefined;
    }
  }
  if (open !== undefined)
    blocks.push({ first: open.first, end: lines.length, language: open.language });
  return blocks;
}

/** What was joined leaves empty lines behind. */
function joinContinued(lines: string[], first: number, end: number, language: Language): void {
  for (let index = first; index < end; index++) {
    if (!isOpenAt(lines[index] ?? "", language)) continue;
    const start = index;
    let joined = lines[index] ?? "";
    while (
      isOpenAt(joined, language) &&
      index + 1 < end &&
      index - start < MAX_JOINED_LINES &&
      joined.length + (lines[index + 1] ?? "").length < MAX_JOINED
    ) {
      index++;
      joined = `${joined.replace(/\\[ \t]*$/, "")} ${(lines[index] ?? "").trimStart()}`;
      lines[index] = "";
    }
    lines[start] = joined;
  }
}

/** A comment goes on in no shell, and a lone bar at the end of a line of a table means nothing. */
function isOpenAt(line: string, language: Language): boolean {
  const last = line.charCodeAt(line.length - 1);
  if (last !== 92 && last !== 124 && last !== 38 && last !== 32 && last !== 9) return false;
  if (!ENDS_OPEN.test(line.slice(-40)) || /^\s*(?:#|\||\/\/)/.test(line)) return false;
  return language === "shell" || language === "other" || /\\[ \t]*$/.test(line.slice(-40));
}
