/** Commands of one letter that touch nothing but the text that goes through. */
const PLAIN = /[=dDgGhHnNpPxzF]/y;
const NUMBERED = /[qQlL][ \t]*\d*/y;
const LABELED = /[:btT][ \t]*[\w.-]*(?=[\s;}]|$)/y;
/** Reaches to the end; with a line after it, seds differ in where the text ends. */
const TEXT = /[aic][^\n]*$/y;
const COMMENT = /#[^\n]*/y;
const SEPARATORS = /[\s;{}]*/y;
const END = /[ \t]*(?=[\n;{}#]|$)/y;
const LINE = /(?:\d+(?:~\d+)?|\$|[+~]\d+)/y;
const ADDRESS_FLAGS = /[IM]*/y;
const BETWEEN_ADDRESSES = /[ \t]*,[ \t]*/y;
const BEFORE_COMMAND = /[ \t]*(?:![ \t!]*)?/y;
/** Neither `e`, which starts a program, nor `w`, which writes a file. */
const SUBSTITUTE_FLAGS = /[gpiIMm\d]*/y;
const DELIMITERS = "/|,#@:!%+_~=";

/**
 * Whether a program for sed only prints what goes through it: it starts no program and writes or
 * reads no other file. What is not understood is not harmless.
 */
export function isHarmlessSed(program: string): boolean {
  const reader = { text: program, at: 0 };
  skip(reader, SEPARATORS);
  while (reader.at < program.length) {
    if (!readAddresses(reader) || !readCommand(reader)) return false;
    skip(reader, SEPARATORS);
  }
  return true;
}

interface Reader {
  readonly text: string;
  at: number;
}

function readAddresses(reader: Reader): boolean {
  if (!readAddress(reader)) return false;
  if (skip(reader, BETWEEN_ADDRESSES) && !readAddress(reader)) return false;
  skip(reader, BEFORE_COMMAND);
  return true;
}

/** There may be none. */
function readAddress(reader: Reader): boolean {
  if (skip(reader, LINE) || reader.text[reader.at] !== "/") return true;
  const expression = readPart(reader, "/");
  skip(reader, ADDRESS_FLAGS);
  return expression !== undefined && isClosed(expression);
}

function readCommand(reader: Reader): boolean {
  const name = reader.text[reader.at];
  if (name === "{" || name === "}") return skip(reader, SEPARATORS);
  if (name === "s" || name === "y") {
    reader.at++;
    return readSubstitution(reader, name) && atEnd(reader);
  }
  if (skip(reader, TEXT) || skip(reader, COMMENT)) return true;
  return (skip(reader, PLAIN) || skip(reader, NUMBERED) || skip(reader, LABELED)) && atEnd(reader);
}

function readSubstitution(reader: Reader, name: "s" | "y"): boolean {
  const delimiter = reader.text.charAt(reader.at);
  if (delimiter === "" || !DELIMITERS.includes(delimiter)) return false;
  const expression = readPart(reader, delimiter);
  if (expression === undefined || (name === "s" && !isClosed(expression))) return false;
  // The delimiter in the middle ends the one part and starts the other.
  reader.at--;
  if (readPart(reader, delimiter) === undefined) return false;
  if (name === "s") skip(reader, SUBSTITUTE_FLAGS);
  return true;
}

/** Reads from one delimiter to the next; undefined when there is none. */
function readPart(reader: Reader, delimiter: string): string | undefined {
  const start = reader.at + 1;
  for (let i = start; i < reader.text.length; i++) {
    const char = reader.text[i];
    if (char === "\\") i++;
    else if (char === delimiter) {
      reader.at = i + 1;
      return reader.text.slice(start, i);
    }
  }
  return undefined;
}

/** Whether a delimiter between `[` and `]` ends the expression differs from sed to sed. */
function isClosed(expression: string): boolean {
  const rest = expression
    .replace(/\\./gs, "")
    .replace(/\[:\w+:\]/g, "x")
    .replace(/\[\^?(?:\][^[\]]*\]|[^[\]]+\])/g, "");
  return !rest.includes("[");
}

function atEnd(reader: Reader): boolean {
  END.lastIndex = reader.at;
  return END.test(reader.text);
}

/** Says whether the expression, which must be sticky, stands here. */
function skip(reader: Reader, expression: RegExp): boolean {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.text);
  if (found === null) return false;
  reader.at += found[0].length;
  return true;
}
