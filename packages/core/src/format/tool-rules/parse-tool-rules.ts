import type { ToolRule, ToolRulesResult } from "./tool-rule.ts";

/** A tool's name, an MCP tool, or a glob over names. */
const TOOL = /^[A-Za-z_*][\w.*-]*$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Reads rules separated by blanks or commas; neither separates inside parentheses. */
export function parseToolRules(text: string): ToolRulesResult {
  const rules: ToolRule[] = [];
  const unreadable: string[] = [];
  for (const piece of splitOutsideParentheses(text)) {
    const rule = parseToolRule(piece);
    if (rule === undefined) unreadable.push(piece);
    else rules.push(rule);
  }
  return { rules, unreadable };
}

/** Reads exactly one rule; undefined when it is not one. */
export function parseToolRule(piece: string): ToolRule | undefined {
  const open = piece.indexOf("(");
  if (open === -1) return TOOL.test(piece) ? { tool: piece } : undefined;
  const tool = piece.slice(0, open);
  const specifier = piece.slice(open + 1, -1);
  if (!TOOL.test(tool) || specifier.trim() === "" || CONTROL.test(specifier)) return undefined;
  return closesAtEnd(piece, open) ? { tool, specifier } : undefined;
}

function closesAtEnd(piece: string, open: number): boolean {
  let depth = 0;
  for (let i = open; i < piece.length; i++) {
    if (piece[i] === "(") depth++;
    else if (piece[i] === ")" && --depth === 0) return i === piece.length - 1;
  }
  return false;
}

/**
 * A blank before an opening parenthesis does not separate: read as two pieces, `Bash (git:*)` would
 * become an unrestricted `Bash`. A parenthesis that never closes takes the rest with it.
 */
function splitOutsideParentheses(text: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  const cut = (end: number) => {
    const piece = text.slice(start, end).trim();
    if (piece !== "") pieces.push(piece);
  };
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || !(char === "," || isBlank(char))) continue;
    const next = char === "," ? i + 1 : endOfBlanks(text, i);
    if (char === "," || text[next] !== "(") {
      cut(i);
      start = next;
    }
    i = next - 1;
  }
  cut(text.length);
  return pieces;
}

function endOfBlanks(text: string, from: number): number {
  let i = from;
  while (i < text.length && isBlank(text.charAt(i))) i++;
  return i;
}

function isBlank(char: string): boolean {
  return char === " " || char === "\t" || char === "\n";
}
