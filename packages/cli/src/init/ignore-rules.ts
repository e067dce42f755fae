/** What a project does not keep under version control. */
const RULES = [".agent/runs/"];
const HEADING = "# Records of skillwright runs";

/**
 * The text of a .gitignore with our rules at its end; the same text when it has them. Line ends
 * stay as they are, and a file without a last line end stays so.
 */
export function withIgnoreRules(text: string): string {
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const present = new Set(text.split(/\r?\n/).map(normalized));
  const missing = RULES.filter((rule) => !present.has(normalized(rule)));
  if (missing.length === 0) return text;
  const added = [HEADING, ...missing].join(newline);
  if (text.trim() === "") return `${text}${added}${newline}`;
  const hasLastEnd = text.endsWith("\n");
  const gap = hasLastEnd ? newline : newline + newline;
  return `${text}${gap}${added}${hasLastEnd ? newline : ""}`;
}

/** `/.agent/runs`, `.agent/runs/` and `.agent/runs/**` mean the same here. */
function normalized(line: string): string {
  return line
    .trim()
    .replace(/^\//, "")
    .replace(/\/(\*\*?)?$/, "");
}
