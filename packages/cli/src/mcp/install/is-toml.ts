import { isRealTime } from "./is-real-time.ts";
import { TomlNames } from "./toml-names.ts";

const KEY = String.raw`(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const KEYS = String.raw`${KEY}(?:[\t ]*\.[\t ]*${KEY})*`;
const DIGITS = String.raw`\d(?:_?\d)*`;
const FLOAT = String.raw`(?:0|[1-9](?:_?\d)*)(?:\.${DIGITS})?(?:[eE][+-]?${DIGITS})?`;
const NUMBER = String.raw`0x[\da-fA-F](?:_?[\da-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*|[+-]?(?:inf|nan|${FLOAT})`;
const TIME = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`;
const DATE = String.raw`\d{4}-\d\d-\d\d(?:[Tt ]${TIME}(?:[Zz]|[+-]\d\d:\d\d)?)?`;
const TEXT = String.raw`"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`;

const HEAD = new RegExp(String.raw`\[[\t ]*${KEYS}[\t ]*\]`, "y");
const ITEM_HEAD = new RegExp(String.raw`\[\[[\t ]*${KEYS}[\t ]*\]\]`, "y");
const ASSIGNMENT = new RegExp(String.raw`${KEYS}[\t ]*=[\t ]*`, "y");
const MOMENT = new RegExp(`${DATE}|${TIME}`, "y");
const PLAIN = new RegExp(`${TEXT}|true|false|${NUMBER}`, "y");
const EACH_KEY = new RegExp(KEY, "g");
const BLANK = /[\t ]*/y;
const GAP = /(?:\s|#[^\n]*)*/y;
const LINE_END = /[\t ]*(?:#[^\n]*)?(?:\n|$)/y;
const ESCAPE = /\\(?:U([\da-fA-F]{8})|u([\da-fA-F]{4})|.)/g;
const CONTROLS = new Map([
  [String.raw`\b`, "\b"],
  [String.raw`\t`, "\t"],
  [String.raw`\n`, "\n"],
  [String.raw`\f`, "\f"],
  [String.raw`\r`, "\r"],
]);
const MAX_DEPTH = 64;

/** Whether a text is TOML: written as such, with no name given twice and no day that is none. */
export function isToml(text: string): boolean {
  return new Reader(text.replaceAll("\r\n", "\n")).isDocument();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #taken = "";

  constructor(text: string) {
    this.#text = text;
  }

  isDocument(): boolean {
    const names = new TomlNames();
    for (this.#take(GAP); this.#at < this.#text.length; this.#take(GAP)) {
      if (!this.#statement(names) || !this.#take(LINE_END)) return false;
    }
    return true;
  }

  #statement(names: TomlNames): boolean {
    if (this.#take(ITEM_HEAD)) return names.beginItem(this.#keys());
    if (this.#take(HEAD)) return names.beginTable(this.#keys());
    return this.#assignment(names, 0);
  }

  #assignment(names: TomlNames, depth: number): boolean {
    return this.#take(ASSIGNMENT) && names.addValue(this.#keys()) && this.#value(depth);
  }

  #value(depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (this.#skip("[")) {
      return this.#items("]", GAP, () => this.#value(depth + 1));
    }
    if (this.#skip("{")) {
      const names = new TomlNames();
      return this.#items("}", BLANK, () => this.#assignment(names, depth + 1));
    }
    return this.#take(MOMENT) ? isRealTime(this.#taken) : this.#take(PLAIN);
  }

  /** Those in what was taken last. */
  #keys(): string[] {
    return Array.from(this.#taken.matchAll(EACH_KEY), ([key]) => plainKey(key));
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
    this.#taken = this.#text.slice(this.#at, pattern.lastIndex);
    this.#at = pattern.lastIndex;
    return true;
  }
}

/** A key is the same however it is quoted. */
function plainKey(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  if (!key.startsWith('"')) return key;
  return key.slice(1, -1).replaceAll(ESCAPE, (whole, code8?: string, code4?: string) => {
    const code = Number.parseInt(code8 ?? code4 ?? "", 16);
    if (code <= 0x10_ff_ff) return String.fromCodePoint(code);
    return CONTROLS.get(whole) ?? whole.slice(1);
  });
}
