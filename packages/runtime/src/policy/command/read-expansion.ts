import type { CommandReader } from "./command-reader.ts";

interface Expansion {
  /** The text as it stands in the command line. */
  readonly value: string;
  readonly dynamic: boolean;
}

const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const ARITHMETIC = /\$\(\(([\w\s+\-*/%<>=!&|^~?:,]{0,256})\)\)/y;
/** Numbers, variables and what stands between them: nothing in it looks like a command. */
const OPERANDS = /^(?:[\s+\-*/%<>=!&|^~?:,]|\d|[A-Z_][A-Z0-9_]*\b|[a-z]\b)*$/;

/** Reads what a `$` starts. Commands inside are added to those of the reader. */
export function readDollar(reader: CommandReader): Expansion {
  const start = reader.at;
  const next = reader.text[start + 1];
  const length = next === "(" ? arithmeticLength(reader) : 0;
  if (length > 0) reader.at += length;
  else if (next === "(") readSubstitution(reader);
  else if (next === "{") readParameter(reader);
  else {
    const name = matchLength(NAME, reader.text, start + 1);
    reader.at += 1 + name;
    if (next === "[") reader.unclear.add("arithmetic");
    else if (name === 0) return { value: "$", dynamic: false };
  }
  return { value: reader.text.slice(start, reader.at), dynamic: true };
}

/** In arithmetic, `<<` and `#` are not what they are elsewhere. */
function arithmeticLength(reader: CommandReader): number {
  if (reader.text[reader.at + 2] !== "(") return 0;
  ARITHMETIC.lastIndex = reader.at;
  const found = ARITHMETIC.exec(reader.text);
  if (found !== null && OPERANDS.test(found[1] ?? "")) return found[0].length;
  reader.unclear.add("arithmetic");
  return 0;
}

function readSubstitution(reader: CommandReader): void {
  reader.at += 2;
  if (!reader.readList(reader, ")")) reader.unclear.add("a substitution that is not closed");
}

/** Reads `${…}`; what stands in it may again hold quotes and substitutions. */
function readParameter(reader: CommandReader): void {
  const { text } = reader;
  reader.at += 2;
  let open = 1;
  while (reader.at < text.length && open > 0) {
    const char = text.charAt(reader.at);
    if (char === "\\") reader.at += 2;
    else if (char === "'" || char === '"') {
      // Whether it hides a brace differs from shell to shell.
      reader.unclear.add("a quote inside ${…}");
      reader.at++;
    } else if (char === "`") readBackquoted(reader);
    else if (char === "$" && text[reader.at + 1] === "(") readDollar(reader);
    else {
      if (char === "{") open++;
      else if (char === "}") open--;
      reader.at++;
    }
  }
  if (open > 0) reader.unclear.add("a brace that is not closed");
}

/** Reads a command between backquotes. */
export function readBackquoted(reader: CommandReader): Expansion {
  const { text } = reader;
  const start = reader.at;
  let end = start + 1;
  while (end < text.length && text[end] !== "`") end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) reader.unclear.add("a substitution that is not closed");
  reader.at = Math.min(end + 1, text.length);
  const inner = text.slice(start + 1, end);
  // Which backslashes are taken off depends on the quotes around.
  if (inner.includes("\\")) reader.unclear.add("a backslash inside backquotes");
  reader.readNested(reader, inner.replace(/\\([$`\\])/g, "$1"));
  return { value: text.slice(start, reader.at), dynamic: true };
}

function matchLength(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0].length ?? 0;
}
