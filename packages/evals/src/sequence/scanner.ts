import type { Failure } from "@skillwright/core";

export interface SequenceFailure extends Failure<"sequence-invalid"> {
  /** Where in the line, from 1. */
  readonly column: number;
}

/** Thrown by the scanner and the parser, and caught where parsing began. */
export class SequenceProblem extends Error {
  readonly failure: SequenceFailure;

  constructor(message: string, column: number, hint?: string) {
    super(message);
    const more = hint === undefined ? {} : { hint };
    this.failure = { ok: false, code: "sequence-invalid", message, column, ...more };
  }
}

const BLANKS = /\s*/y;
const WORD = /[^\s(),"]+/y;
const NUMBER = /\d{1,6}(?![^\s(),])/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const REGEX = /\/((?:[^/\\]|\\.)+)\/([a-z]*)(?![^\s(),])/y;

/** A line, and how far it was read. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get column(): number {
    this.#skipBlanks();
    return this.#at + 1;
  }

  isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at >= this.#text.length;
  }

  /** Reads these words when they come next, and nothing else. */
  tryWords(...words: readonly string[]): boolean {
    const start = this.#at;
    const isThere = words.every((word) => this.#take(WORD)?.[0] === word);
    if (!isThere) this.#at = start;
    return isThere;
  }

  /** Without reading them. */
  isNext(...words: readonly string[]): boolean {
    const start = this.#at;
    const isThere = this.tryWords(...words);
    this.#at = start;
    return isThere;
  }

  /** `exactly:` with or without blanks before the colon. */
  tryHeading(heading: string): boolean {
    const start = this.#at;
    const words = heading.split(" ");
    const last = words.pop() ?? "";
    if (!this.tryWords(...words)) return false;
    if (this.#trySign(`${last}:`)) return true;
    if (this.#trySign(last) && this.trySign(":")) return true;
    this.#at = start;
    return false;
  }

  trySign(sign: string): boolean {
    return this.#trySign(sign);
  }

  peekWord(): string | undefined {
    const start = this.#at;
    const word = this.#take(WORD)?.[0];
    this.#at = start;
    return word;
  }

  tryWord(): string | undefined {
    return this.#take(WORD)?.[0];
  }

  tryNumber(): number | undefined {
    const digits = this.#take(NUMBER)?.[0];
    return digits === undefined ? undefined : Number(digits);
  }

  tryString(): string | undefined {
    const { column } = this;
    if (this.#text.charAt(column - 1) !== '"') return undefined;
    const quoted = this.#take(STRING)?.[0];
    if (quoted === undefined) throw new SequenceProblem("the quotes are left open", column);
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw new SequenceProblem("the text in quotes is not written as in JSON", column);
    }
  }

  tryRegex(): { readonly pattern: string; readonly flags: string } | undefined {
    const match = this.#take(REGEX);
    return match === undefined ? undefined : { pattern: match[1] ?? "", flags: match[2] ?? "" };
  }

  /** What stands here, for a message. */
  found(): string {
    if (this.isAtEnd()) return "the end of the line";
    const rest = this.#text.slice(this.#at);
    return `\`${/^[^\s(),"]+|^"[^"]*"?|^./u.exec(rest)?.[0].slice(0, 40) ?? ""}\``;
  }

  #trySign(sign: string): boolean {
    this.#skipBlanks();
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    this.#skipBlanks();
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }
}
