import {
  DocumentProblem,
  FORBIDDEN_KEYS,
  MAX_DEPTH,
  MAX_VALUES,
  type Place,
} from "./data-document.ts";

const BLANKS = /[ \t\r\n]*/y;
// Without a choice inside a repetition: nothing to go back to.
const STRING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;
const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.+-])/y;

/** Where each value of a JSON text stands. Says where it is no JSON; what it is, `JSON.parse` says. */
export function jsonPlaces(text: string): Place {
  const reader = new PlaceReader(text);
  const place = reader.value(0);
  reader.end();
  return place;
}

class PlaceReader {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length)
      throw this.#problem("there is more behind the end of the JSON");
  }

  value(depth: number): Place {
    this.#skipBlanks();
    if (depth > MAX_DEPTH) throw this.#problem(`nested more than ${MAX_DEPTH} levels deep`);
    if (++this.#values > MAX_VALUES) throw this.#problem(`more than ${MAX_VALUES} values`);
    const start = this.#at;
    const first = this.#text[start];
    if (first === "{") return { start, inner: this.#members(depth) };
    if (first === "[") return { start, inner: this.#items(depth) };
    if (first === '"') this.#string();
    else if (this.#take(WORD) === undefined) throw this.#problem("expected a value");
    return { start, inner: NOTHING };
  }

  #members(depth: number): Map<string, Place> {
    const inner = new Map<string, Place>();
    this.#at++;
    if (this.#trySign("}")) return inner;
    do {
      this.#skipBlanks();
      const start = this.#at;
      const key = this.#string();
      if (FORBIDDEN_KEYS.has(key))
        throw new DocumentProblem(`the key ${key} is not allowed`, start);
      if (inner.has(key)) throw new DocumentProblem(`the key ${key} stands twice`, start);
      if (!this.#trySign(":")) throw this.#problem("expected a colon");
      const { inner: below } = this.value(depth + 1);
      inner.set(key, { start, inner: below });
    } while (this.#trySign(","));
    if (!this.#trySign("}")) throw this.#problem("expected a comma or }");
    return inner;
  }

  #items(depth: number): Map<number, Place> {
    const inner = new Map<number, Place>();
    this.#at++;
    if (this.#trySign("]")) return inner;
    do inner.set(inner.size, this.value(depth + 1));
    while (this.#trySign(","));
    if (!this.#trySign("]")) throw this.#problem("expected a comma or ]");
    return inner;
  }

  #string(): string {
    const written = this.#take(STRING);
    if (written === undefined) throw this.#problem("expected a text in double quotes");
    try {
      return JSON.parse(written) as string;
    } catch {
      throw this.#problem("the text before this is not written as JSON");
    }
  }

  #trySign(sign: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    this.#take(BLANKS);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #problem(message: string): DocumentProblem {
    return new DocumentProblem(message, this.#at);
  }
}

const NOTHING: ReadonlyMap<string, Place> = new Map();
