import type { Redirection, SimpleCommand, Word } from "./simple-command.ts";

/** Where a reader is in a command line, and what it has found. Shared by all reading functions. */
export interface CommandReader {
  readonly text: string;
  at: number;
  /** How many substitutions and subshells are open. */
  depth: number;
  readonly commands: SimpleCommand[];
  readonly unclear: Set<string>;
  /** Here-documents whose text starts after the next newline. */
  readonly pending: PendingDocument[];
  /** Reads commands up to the closing character, or to the end; says whether it was found. */
  readonly readList: (reader: CommandReader, close: string) => boolean;
  /** Reads commands from a text of its own, one level deeper. */
  readonly readNested: (reader: CommandReader, text: string) => void;
}

export interface PendingDocument {
  readonly delimiter: string;
  /** Quoted: nothing in the text is replaced. */
  readonly literal: boolean;
  readonly stripTabs: boolean;
  /** Takes the text once it is read. */
  readonly fill: (document: Word) => void;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
export type OpenRedirection = Mutable<Redirection>;

/** Deeper than anybody writes; keeps the stack and the work bounded. */
export const MAX_DEPTH = 24;

/** A blank that a shell does not take for one is made one here, so that a denial still sees it. */
export function isBlank(char: string): boolean {
  return char === " " || char === "\t" || isForeignBlank(char);
}

export function isForeignBlank(char: string): boolean {
  return char > "\u007f" && FOREIGN_BLANK.test(char);
}

/** A carriage return ends no line in a shell, but does on a screen. */
export function isNewline(char: string): boolean {
  return char === "\n" || char === "\r";
}

/** Skips a comment, when one starts here. */
export function skipComment(reader: CommandReader): boolean {
  if (reader.text[reader.at] !== "#") return false;
  while (reader.at < reader.text.length && !isNewline(reader.text.charAt(reader.at))) reader.at++;
  return true;
}

const FOREIGN_BLANK = /[\u0085\p{Z}\ufeff\u200b-\u200d\u2060]/u;
