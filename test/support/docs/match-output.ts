/** What differs from run to run, by the name that stands for it. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b\d{8}T\d{9}Z-[0-9a-f]{8}\b/g, "<run>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<id>"],
  [/\bsha256:[0-9a-f]{8,64}\b/g, "sha256:<digest>"],
  [/\bSHA256:[\w+/]{43}/g, "SHA256:<fingerprint>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, "<time>"],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?/g, "<moment>"],
  [/\bv\d+\.\d+\.\d+\b/g, "<version>"],
];

/** The text without what differs from run to run, and without blanks at the ends of lines. */
export function normalizeOutput(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const joined = lines.join("\n").trim();
  return CHANGING.reduce((given, [pattern, name]) => given.replaceAll(pattern, name), joined);
}

/**
 * Whether this is what a page shows. In a page, `…` stands for any text within a line, and a line
 * that is only `…` for any number of lines.
 */
export function matchesOutput(shown: string, printed: string): boolean {
  const lines = normalizeOutput(shown).split("\n");
  const pattern = lines
    .map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${linePattern(line)}\n`))
    .join("");
  return new RegExp(`^${pattern}$`).test(`${normalizeOutput(printed)}\n`);
}

function linePattern(line: string): string {
  return line.split("…").map(escapeExpression).join(".*");
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
