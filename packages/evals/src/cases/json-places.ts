/** Where a value begins in the text, and the values in it. */
export interface Place {
  readonly start: number;
  readonly inner: ReadonlyMap<string | number, Place>;
}

/** Keys that would reach `Object.prototype` in careless code; no case needs one. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

export const MAX_DEPTH = 40;
/** Each takes memory beside the text. */
const MAX_VALUES = 2_000_000;

/** Thrown while a text is read, and caught where that began. */
export class DocumentProblem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const BLANKS = /[ \t\r\n]*/y;
// Without a choice inside a repetition: nothing to go back to.
const STRING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;
const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.+-])/y;

/** Cases begin at this depth; the places in a case are read only when one is asked for. */
const REMEMBERED_DEPTH = 2;

/** Where each value of a JSON text begins. Throws where it is not JSON; `JSON.parse` gives the values. */
export function jsonPlaces(text: string): Place {
  const reader = new PlaceReader(text, 0, REMEMBERED_DEPTH);
  const place = reader.value(0);
  reader.end();
  return place;
}

/** Reads the text again when its places are asked for: those of all values take many times the text. */
class LazyPlace implements Place {
  readonly start: number;
  readonly #text: string;
  readonly #valueStart: number;

  constructor(text: string, valueStart: number, start = valueStart) {
    this.start = start;
    this.#text = text;
    this.#valueStart = valueStart;
  }

  get inner(): Place["inner"] {
    return new PlaceReader(this.#text, this.#valueStart, Infinity).value(0).inner;
  }

  named(start: number): LazyPlace {
    return new LazyPlace(this.#text, this.#valueStart, start);
  }
}

class PlaceReader {
  readonly #text: string;
  readonly #remembered: number;
  #at: number;
  #values = 0;

  constructor(text: string, at: number, remembered: number) {
    this.#text = text;
    this.#at = at;
    this.#remembered = remembered;
  }

  end(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length)
      throw this.#problem("there is text after the end of the JSON");
  }

  value(depth: number): Place {
    this.#skipBlanks();
    if (depth > MAX_DEPTH) throw this.#problem(`nested more than ${MAX_DEPTH} levels deep`);
    if (++this.#values > MAX_VALUES) throw this.#problem(`more than ${MAX_VALUES} values`);
    const start = this.#at;
    const first = this.#text[start];
    if (first === "{" || first === "[") {
      const inner = first === "{" ? this.#members(depth) : this.#items(depth);
      return depth === this.#remembered ? new LazyPlace(this.#text, start) : { start, inner };
    }
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
      if (inner.has(key)) throw new DocumentProblem(`the key ${key} occurs twice`, start);
      if (!this.#trySign(":")) throw this.#problem("expected a colon");
      const place = this.value(depth + 1);
      // The place of a member is that of its name.
      inner.set(key, place instanceof LazyPlace ? place.named(start) : { ...place, start });
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
      throw this.#problem("the text before this is not valid JSON");
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
