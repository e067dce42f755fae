import { type CommandReader, isBlank, isForeignBlank, isNewline } from "./command-reader.ts";
import { readAnsiQuoted } from "./read-ansi-quoted.ts";
import { readBackquoted, readDollar } from "./read-expansion.ts";
import type { Word } from "./simple-command.ts";

/** A word, and what only the reader of commands needs to know of it. */
export interface ReadWord extends Word {
  /** Part of it stood in quotes or behind a backslash. */
  readonly quoted: boolean;
}

interface Parts {
  value: string;
  dynamic: boolean;
  glob: boolean;
  quoted: boolean;
  /** Where an unquoted `{` may start a list. */
  brace: boolean;
}

const METACHARACTERS = "|&;()<>";

/** Reads the word at the current place; undefined when none starts there. */
export function readWord(reader: CommandReader): ReadWord | undefined {
  const start = reader.at;
  const parts: Parts = { value: "", dynamic: false, glob: false, quoted: false, brace: false };
  while (reader.at < reader.text.length && readPart(reader, parts));
  return reader.at === start ? undefined : parts;
}

/** Reads one piece of a word; false at its end. */
function readPart(reader: CommandReader, parts: Parts): boolean {
  const { text, at } = reader;
  const char = text.charAt(at);
  if (isBlank(char)) {
    if (isForeignBlank(char)) reader.unclear.add("a blank that is not a space");
    return false;
  }
  if (isNewline(char)) return false;
  if (METACHARACTERS.includes(char)) {
    if ((char === "<" || char === ">") && text[at + 1] === "(") {
      readProcessSubstitution(reader, parts);
      return true;
    }
    return false;
  }
  if (char === "\\") readEscaped(reader, parts);
  else if (char === "'") readSingleQuoted(reader, parts);
  else if (char === '"') readDoubleQuoted(reader, parts);
  else if (char === "`") expand(parts, readBackquoted(reader));
  else if (char === "$") readDollarPart(reader, parts);
  else readPlain(reader, parts, char);
  return true;
}

function readPlain(reader: CommandReader, parts: Parts, char: string): void {
  if (char === "*" || char === "?" || char === "[") parts.glob = true;
  if (char === "{") parts.brace = true;
  // `{a,b}` and `{1..3}` become several words.
  if (parts.brace && (char === "," || (char === "." && reader.text[reader.at + 1] === "."))) {
    parts.dynamic = true;
  }
  parts.value += char;
  reader.at++;
}

function readEscaped(reader: CommandReader, parts: Parts): void {
  const next = reader.text.charAt(reader.at + 1);
  reader.at += 2;
  if (next === "\n") return;
  if (next === "") reader.unclear.add("a backslash at the end");
  parts.value += next;
  parts.quoted = true;
}

function readSingleQuoted(reader: CommandReader, parts: Parts): void {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end === -1) reader.unclear.add("a quote that is not closed");
  const stop = end === -1 ? reader.text.length : end;
  parts.value += reader.text.slice(reader.at + 1, stop);
  parts.quoted = true;
  reader.at = stop + 1;
}

function readDoubleQuoted(reader: CommandReader, parts: Parts): void {
  reader.at++;
  parts.quoted = true;
  readExpanded(reader, parts, '"');
  if (reader.text[reader.at] !== '"') reader.unclear.add("a quote that is not closed");
  reader.at++;
}

/** Text in which only `$`, a backquote and some backslashes mean something, up to `close`. */
function readExpanded(reader: CommandReader, parts: Parts, close: string): void {
  const { text } = reader;
  while (reader.at < text.length && text[reader.at] !== close) {
    const char = text.charAt(reader.at);
    const next = text.charAt(reader.at + 1);
    if (char === "\\" && next !== "" && '$`"\\\n'.includes(next)) {
      if (next !== "\n") parts.value += next;
      reader.at += 2;
    } else if (char === "`") expand(parts, readBackquoted(reader));
    else if (char === "$" && next !== "'" && next !== '"') expand(parts, readDollar(reader));
    else {
      parts.value += char;
      reader.at++;
    }
  }
}

/** Commands inside the text of a here-document run, too. */
export function readDocumentText(reader: CommandReader): Word {
  const parts: Parts = { value: "", dynamic: false, glob: false, quoted: false, brace: false };
  readExpanded(reader, parts, "");
  return parts;
}

function readDollarPart(reader: CommandReader, parts: Parts): void {
  const next = reader.text[reader.at + 1];
  if (next === "'") {
    parts.quoted = true;
    parts.value += readAnsiQuoted(reader);
  } else if (next === '"') {
    reader.at++;
    readDoubleQuoted(reader, parts);
  } else expand(parts, readDollar(reader));
}

function readProcessSubstitution(reader: CommandReader, parts: Parts): void {
  const start = reader.at;
  reader.at += 2;
  if (!reader.readList(reader, ")")) reader.unclear.add("a substitution that is not closed");
  expand(parts, { value: reader.text.slice(start, reader.at), dynamic: true });
}

function expand(parts: Parts, found: { readonly value: string; readonly dynamic: boolean }): void {
  parts.value += found.value;
  parts.dynamic ||= found.dynamic;
}
