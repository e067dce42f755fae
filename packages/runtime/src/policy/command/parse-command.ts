import { addUnclearCharacters } from "./unclear-characters.ts";
import {
  type CommandReader,
  isBlank,
  isForeignBlank,
  isNewline,
  MAX_DEPTH,
  skipComment,
} from "./command-reader.ts";
import { readHereDocuments } from "./read-here-documents.ts";
import { readSimpleCommand } from "./read-simple-command.ts";
import type { ParsedCommand } from "./simple-command.ts";

/**
 * Reads a command line as a POSIX shell or bash would, without running anything. Every command that
 * would be started is listed, wherever it stands. What this reader does not understand, or what
 * shells read differently, is named in `unclear`. Never throws; linear in the length of the text.
 */
export function parseCommand(text: string, depth = 0): ParsedCommand {
  const reader: CommandReader = {
    text,
    at: 0,
    depth,
    commands: [],
    unclear: new Set(),
    pending: [],
    readList,
    readNested,
  };
  addUnclearCharacters(text, reader.unclear);
  readList(reader, "");
  readHereDocuments(reader);
  return { commands: reader.commands, unclear: [...reader.unclear] };
}

function readNested(reader: CommandReader, text: string): void {
  if (isTooDeep(reader)) return;
  const { commands, unclear } = parseCommand(text, reader.depth + 1);
  for (const command of commands) reader.commands.push(command);
  for (const reason of unclear) reader.unclear.add(reason);
}

function readList(reader: CommandReader, close: string): boolean {
  if (isTooDeep(reader)) {
    reader.at = reader.text.length;
    return false;
  }
  const before = reader.pending.length;
  reader.depth++;
  const found = readUntil(reader, close);
  reader.depth--;
  // Whose text follows after the next newline differs from shell to shell.
  if (close !== "" && before + reader.pending.length > 0) {
    reader.unclear.add("a here-document around a substitution");
  }
  return found;
}

function isTooDeep({ depth, unclear }: CommandReader): boolean {
  if (depth >= MAX_DEPTH) unclear.add("too many parts inside one another");
  return depth >= MAX_DEPTH;
}

function readUntil(reader: CommandReader, close: string): boolean {
  const { text, unclear } = reader;
  let piped = false;
  while (reader.at < text.length) {
    const char = text.charAt(reader.at);
    if (isBlank(char)) {
      if (isForeignBlank(char)) unclear.add("a blank that is not a space");
      reader.at++;
    } else if (char === close) {
      reader.at++;
      return true;
    } else if (isNewline(char)) {
      reader.at++;
      readHereDocuments(reader);
    } else if (skipComment(reader)) continue;
    else if (char === ";" || char === "&" || char === "|") piped = readSeparator(reader, char);
    else if (char === "(") {
      if (text[reader.at + 1] === "(") unclear.add("arithmetic");
      reader.at++;
      if (!readList(reader, ")")) unclear.add("a parenthesis that is not closed");
    } else if (char === ")") {
      unclear.add("a parenthesis that was not opened");
      reader.at++;
    } else {
      readSimpleCommand(reader, piped);
      piped = false;
    }
  }
  return close === "";
}

/** Says whether the next command gets the output of this one. */
function readSeparator(reader: CommandReader, char: string): boolean {
  const next = reader.text[reader.at + 1];
  const length = next === char || (char === "|" && next === "&") ? 2 : 1;
  if (char === ";" && length === 2) reader.unclear.add("a `case`");
  reader.at += length;
  return char === "|" && next !== "|";
}
