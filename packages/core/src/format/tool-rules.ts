/** One entry of `allowed-tools`: a tool, and optionally which uses of it. */
export interface ToolRule {
  readonly tool: string;
  /** The text in parentheses: `git:*` in `Bash(git:*)`. */
  readonly specifier?: string;
}

export interface ToolRulesResult {
  readonly rules: readonly ToolRule[];
  /** Pieces that are not rules; they grant nothing. */
  readonly unreadable: readonly string[];
}

/** The specification's form: rules separated by single spaces. */
export function formatToolRules(rules: readonly ToolRule[]): string {
  return rules
    .map(({ tool, specifier }) => (specifier === undefined ? tool : `${tool}(${specifier})`))
    .join(" ");
}

/** A tool's name. A glob is only allowed within one MCP server: elsewhere it would grant too much. */
const TOOL = /^(?:[A-Za-z_][\w.-]*|mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__[\w*-]*)$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Looks like a specifier in the wrong brackets. */
const LIMIT = /^[([{"'\\<（「]/;
/** Looks like a specifier without brackets, not like another tool. */
const WORDS = /^(?![A-Za-z_][\w.-]*\()[\w*]/;

/**
 * Reads rules separated by blanks or commas; neither separates inside parentheses. What cannot be
 * read takes the bare tool before it along: `Bash [git:*]` and `Bash git:*` were meant to limit `Bash`,
 * which read alone would be unlimited.
 */
export function parseToolRules(text: string): ToolRulesResult {
  const rules: ToolRule[] = [];
  const unreadable: string[] = [];
  let bare: { readonly piece: string; readonly separator: string } | undefined;
  for (const { piece, separator } of splitOutsideParentheses(text)) {
    const rule = parseToolRule(piece);
    if (rule !== undefined) {
      rules.push(rule);
      bare = rule.specifier === undefined ? { piece, separator } : undefined;
      continue;
    }
    if (
      bare !== undefined &&
      (LIMIT.test(piece) || (bare.separator === " " && WORDS.test(piece)))
    ) {
      rules.pop();
      unreadable.push(`${bare.piece} ${piece}`);
    } else {
      unreadable.push(piece);
    }
    bare = undefined;
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
  return openParentheses(piece) === 0 && closesAtEnd(piece, open) ? { tool, specifier } : undefined;
}

/** How many parentheses are open at the end of a text, given how many were before it. */
export function openParentheses(text: string, before = 0): number {
  let depth = before;
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
  }
  return depth;
}

function closesAtEnd(piece: string, open: number): boolean {
  let depth = 0;
  for (let i = open; i < piece.length; i++) {
    if (piece[i] === "(") depth++;
    else if (piece[i] === ")" && --depth === 0) return i === piece.length - 1;
  }
  return false;
}

interface Piece {
  readonly piece: string;
  /** What follows it: a comma, or only blanks. */
  readonly separator: "," | " ";
}

/**
 * A blank before an opening parenthesis does not separate: read as two pieces, `Bash (git:*)` would
 * become an unrestricted `Bash`. A parenthesis that never closes takes the rest with it.
 */
function splitOutsideParentheses(text: string): Piece[] {
  const pieces: Piece[] = [];
  let depth = 0;
  let start = 0;
  const cut = (end: number, separator: "," | " ") => {
    const piece = text.slice(start, end).trim();
    if (piece !== "") pieces.push({ piece, separator });
  };
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || !(char === "," || isBlank(char))) continue;
    const next = char === "," ? i + 1 : endOfBlanks(text, i);
    if (char === "," || text[next] !== "(") {
      cut(i, char === "," || text[next] === "," ? "," : " ");
      start = next;
    }
    i = next - 1;
  }
  cut(text.length, " ");
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
