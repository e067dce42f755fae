/** The cells of a notebook as one script; whatever is not run is a comment. Other text stays as it is. */
export function notebookText(json: string): string {
  const cells = cellsOf(json);
  if (cells === undefined) return json;
  const lines: string[] = [];
  let searched = 0;
  let line = 0;
  for (const { isCode, source } of cells) {
    const found = json.indexOf(JSON.stringify(source[0] ?? "").slice(0, -1), searched);
    if (found !== -1) {
      for (let at = json.indexOf("\n", searched); at !== -1 && at < found;) {
        line++;
        at = json.indexOf("\n", at + 1);
      }
      searched = found;
      while (lines.length < line) lines.push("");
    }
    for (const text of source.join("").split("\n"))
      lines.push(isCode ? command(text) : `# ${text}`);
  }
  return lines.join("\n");
}

interface Cell {
  readonly isCode: boolean;
  readonly source: readonly string[];
}

/** `!` gives the rest of a line to a shell. */
function command(line: string): string {
  return line.replace(/^(\s*)!{1,2}(?=\s*\S)/, "$1 ");
}

function cellsOf(json: string): Cell[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  const cells = property(parsed, "cells");
  if (!Array.isArray(cells)) return undefined;
  return cells.flatMap((cell: unknown): Cell[] => {
    const source = property(cell, "source");
    const parts: unknown[] = Array.isArray(source) ? source : [source];
    const texts = parts.filter((part) => typeof part === "string");
    return texts.length === 0
      ? []
      : [{ isCode: property(cell, "cell_type") === "code", source: texts }];
  });
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
