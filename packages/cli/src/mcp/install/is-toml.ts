const KEY = String.raw`(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const KEYS = String.raw`${KEY}(?:[\t ]*\.[\t ]*${KEY})*`;
const NUMBER = String.raw`[+-]?(?:inf|nan|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)`;
const TIME = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`;
const DATE = String.raw`\d{4}-\d\d-\d\d(?:[Tt ]${TIME}(?:[Zz]|[+-]\d\d:\d\d)?)?`;
const TEXT = String.raw`"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`;

const HEAD = new RegExp(String.raw`\[[\t ]*${KEYS}[\t ]*\]|\[\[[\t ]*${KEYS}[\t ]*\]\]`, "y");
const ASSIGNMENT = new RegExp(String.raw`${KEYS}[\t ]*=[\t ]*`, "y");
const PLAIN = new RegExp(`${TEXT}|true|false|${DATE}|${TIME}|${NUMBER}`, "y");
const BLANK = /[\t ]*/y;
const GAP = /(?:\s|#[^\n]*)*/y;
const LINE_END = /[\t ]*(?:#[^\n]*)?(?:\n|$)/y;
const MAX_DEPTH = 64;

/**
 * Whether a text is written as TOML. It says nothing of what the tables mean, such as whether one is
 * there twice.
 */
export function isToml(text: string): boolean {
  return new Reader(text.replaceAll("\r\n", "\n")).isDocument();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isDocument(): boolean {
    for (this.#take(GAP); this.#at < this.#text.length; this.#take(GAP)) {
      const isStatement = this.#take(HEAD) || (this.#take(ASSIGNMENT) && this.#value(0));
      if (!isStatement || !this.#take(LINE_END)) return false;
    }
    return true;
  }

  #value(depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (this.#skip("[")) {
      return this.#items("]", GAP, () => this.#value(depth + 1));
    }
    if (this.#skip("{")) {
      return this.#items("}", BLANK, () => this.#take(ASSIGNMENT) && this.#value(depth + 1));
    }
    return this.#take(PLAIN);
  }

  #items(end: string, gap: RegExp, item: () => boolean): boolean {
    for (;;) {
      this.#take(gap);
      if (this.#skip(end)) return true;
      if (!item()) return false;
      this.#take(gap);
      if (this.#skip(end)) return true;
      if (!this.#skip(",")) return false;
    }
  }

  #skip(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at++;
    return isThere;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
