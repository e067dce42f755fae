import type { CommandReader } from "./command-reader.ts";

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gsu;
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["E", "\u001b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Reads `$'…'`, in which `\x72` is a letter. */
export function readAnsiQuoted(reader: CommandReader): string {
  const start = reader.at + 2;
  let end = start;
  while (end < reader.text.length && reader.text[end] !== "'") {
    end += reader.text[end] === "\\" ? 2 : 1;
  }
  if (end >= reader.text.length) reader.unclear.add("a quote that is not closed");
  reader.at = end + 1;
  return reader.text.slice(start, end).replace(ESCAPE, decode);
}

function decode(
  _match: string,
  hex?: string,
  short?: string,
  long?: string,
  octal?: string,
  control?: string,
  letter?: string,
): string {
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
  if (letter !== undefined) return LETTERS.get(letter) ?? letter;
  const digits = hex ?? short ?? long;
  const code =
    digits === undefined ? Number.parseInt(octal ?? "0", 8) & 0xff : Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
