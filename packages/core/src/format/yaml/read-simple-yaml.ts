import { foldBlock, readDoubleQuoted, readSingleQuoted } from "./simple-scalars.ts";
import { isPrototypeKey } from "./prototype-keys.ts";
import { UNUSUAL } from "./unusual-characters.ts";
import { resolvePlain } from "./resolve-plain.ts";
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from "./yaml-node.ts";

const NOT_ASCII = /[^\n\x20-\x7e]/;
const MAX_DEPTH = 6;

const NEWLINE = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const COMMA = 44;
const HYPHEN = 45;
const COLON = 58;
const GREATER = 62;
const BRACKET = 91;
const CLOSING_BRACKET = 93;
const PIPE = 124;

/** Characters that mean something to YAML at the start of a value. */
const INDICATORS: ReadonlySet<number> = new Set(Buffer.from("-?:,[]{}#&*!|>'\"%@`"));
/** Ends a plain word of a list on one line, or makes it too special. */
const FLOW_SPECIAL: ReadonlySet<number> = new Set(Buffer.from("\n,[]{}\"'#:&*!|>%@`\\"));

/** Thrown to leave the text to the full reader; made once, since no one reads its stack. */
const HAND_OVER = new Error("not simple YAML");

/**
 * Reads the shapes that nearly all frontmatter has – keys with plain, quoted or block text, lists of
 * words, nested mappings of the same – many times faster than a YAML parser. Whatever it is not sure
 * of it leaves alone and returns undefined; what it returns equals `readYaml` to the last offset,
 * which a property test holds it to.
 */
export function readSimpleYaml(text: string): YamlMap | undefined {
  if (text.charCodeAt(text.length - 1) !== NEWLINE) return undefined;
  if (NOT_ASCII.test(text) && UNUSUAL.test(text)) return undefined;
  try {
    return new SimpleReader(text).document();
  } catch (error) {
    if (error === HAND_OVER) return undefined;
    throw error;
  }
}

class SimpleReader {
  readonly #text: string;
  /** Start and indentation of the next line that is neither blank nor a comment. */
  #line = 0;
  #indent = 0;

  constructor(text: string) {
    this.#text = text;
    this.#moveTo(0);
  }

  document(): YamlMap {
    if (this.#atEnd() || this.#indent !== 0) throw HAND_OVER;
    const map = this.#map(0, 1);
    if (!this.#atEnd()) throw HAND_OVER;
    return map;
  }

  #atEnd(): boolean {
    return this.#line >= this.#text.length;
  }

  /** Goes to the first line with content at or after the line that starts at `offset`. */
  #moveTo(offset: number): void {
    const text = this.#text;
    let line = offset;
    while (line < text.length) {
      let i = line;
      while (text.charCodeAt(i) === SPACE) i++;
      const code = text.charCodeAt(i);
      if (code !== NEWLINE && code !== HASH) {
        this.#line = line;
        this.#indent = i - line;
        return;
      }
      line = code === NEWLINE ? i + 1 : text.indexOf("\n", i) + 1;
    }
    this.#line = text.length;
    this.#indent = 0;
  }

  #map(indent: number, depth: number): YamlMap {
    if (depth > MAX_DEPTH) throw HAND_OVER;
    const start = this.#line + indent;
    const entries: YamlEntry[] = [];
    while (!this.#atEnd() && this.#indent === indent) {
      const keyStart = this.#line + indent;
      const keyEnd = this.#keyEnd(keyStart);
      const key = this.#text.slice(keyStart, keyEnd);
      if (isPrototypeKey(key) || hasKey(entries, key)) throw HAND_OVER;
      entries.push({ key, keyStart, keyEnd, value: this.#value(keyEnd, indent, depth) });
    }
    if (this.#indent > indent) throw HAND_OVER;
    return { kind: "map", entries, start, end: entries.at(-1)?.value.end ?? start };
  }

  /** The offset of the colon after a simple key. */
  #keyEnd(start: number): number {
    let i = start;
    while (isKeyCharacter(this.#text.charCodeAt(i))) i++;
    if (i === start || this.#text.charCodeAt(i) !== COLON) throw HAND_OVER;
    if (this.#text.charCodeAt(start) < 65) throw HAND_OVER;
    return i;
  }

  #value(keyEnd: number, indent: number, depth: number): YamlNode {
    const text = this.#text;
    const start = this.#skipSpaces(keyEnd + 1);
    const first = text.charCodeAt(start);
    if (first === NEWLINE) return this.#nested(start + 1, keyEnd, indent, depth);
    if (start === keyEnd + 1) throw HAND_OVER;
    if (first === PIPE || first === GREATER) return this.#block(start, indent);
    if (first === BRACKET) return this.#flowList(start, indent);
    return this.#scalar(start, indent);
  }

  /** What stands below a key with nothing behind it. */
  #nested(next: number, keyEnd: number, indent: number, depth: number): YamlNode {
    this.#moveTo(next);
    const isList = !this.#atEnd() && this.#startsItem();
    if (isList && this.#indent >= indent) return this.#list(this.#indent);
    if (!this.#atEnd() && this.#indent > indent) return this.#map(this.#indent, depth + 1);
    return { kind: "scalar", value: null, source: "", plain: true, start: keyEnd, end: keyEnd };
  }

  #startsItem(): boolean {
    const at = this.#line + this.#indent;
    return this.#text.charCodeAt(at) === HYPHEN && this.#text.charCodeAt(at + 1) === SPACE;
  }

  #list(indent: number): YamlList {
    const start = this.#line + indent;
    const items: YamlNode[] = [];
    while (!this.#atEnd() && this.#indent === indent && this.#startsItem()) {
      items.push(this.#scalar(this.#skipSpaces(this.#line + indent + 2), indent));
    }
    if (this.#indent > indent) throw HAND_OVER;
    return { kind: "list", items, start, end: items.at(-1)?.end ?? start };
  }

  /** A plain or quoted scalar that starts here, and the lines it goes on for. */
  #scalar(start: number, indent: number): YamlScalar {
    const first = this.#text.charCodeAt(start);
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.#quoted(start, indent);
    if (first === NEWLINE || INDICATORS.has(first)) throw HAND_OVER;
    let end = this.#plainLineEnd(start);
    let source = this.#text.slice(start, end);
    let next = this.#text.indexOf("\n", end) + 1;
    while (this.#continues(next, indent)) {
      const i = this.#skipSpaces(next);
      end = this.#plainLineEnd(i);
      source += ` ${this.#text.slice(i, end)}`;
      next = this.#text.indexOf("\n", end) + 1;
    }
    return { kind: "scalar", value: resolvePlain(source), source, plain: true, start, end };
  }

  /** True when the line at `next` belongs to the scalar above; otherwise moves on to it. */
  #continues(next: number, indent: number): boolean {
    this.#moveTo(next);
    if (this.#atEnd() || this.#indent <= indent) return false;
    if (this.#line !== next) throw HAND_OVER;
    return true;
  }

  /** End of the plain text on this line, trailing blanks and comment left out. */
  #plainLineEnd(start: number): number {
    const text = this.#text;
    let end = start;
    for (let code = text.charCodeAt(end); code !== NEWLINE; code = text.charCodeAt(end)) {
      end++;
      if (code !== COLON && code !== SPACE) continue;
      const next = text.charCodeAt(end);
      // A colon before a blank starts a mapping value, a hash behind one a comment.
      if (code === COLON ? next === SPACE || next === NEWLINE : next === HASH) throw HAND_OVER;
    }
    while (text.charCodeAt(end - 1) === SPACE) end--;
    return end;
  }

  #quoted(start: number, indent: number): YamlScalar {
    const scalar = this.#readQuotes(start, indent);
    this.#finishLine(scalar.end + 1, indent);
    return scalar;
  }

  /** Inside a list on one line a quoted text must end on that line. */
  #quotedItem(start: number): YamlScalar {
    return this.#readQuotes(start, Number.POSITIVE_INFINITY);
  }

  #readQuotes(start: number, indent: number): YamlScalar {
    const isDouble = this.#text.charCodeAt(start) === DOUBLE_QUOTE;
    const scalar = (isDouble ? readDoubleQuoted : readSingleQuoted)(this.#text, start + 1, indent);
    if (scalar === undefined) throw HAND_OVER;
    const { value, end } = scalar;
    return { kind: "scalar", value, source: value, plain: false, start: start + 1, end };
  }

  /** Nothing but blanks may follow on this line, and no deeper line after it. */
  #finishLine(offset: number, indent: number): void {
    const lineEnd = this.#skipSpaces(offset);
    if (this.#text.charCodeAt(lineEnd) !== NEWLINE) throw HAND_OVER;
    this.#moveTo(lineEnd + 1);
    if (this.#indent > indent) throw HAND_OVER;
  }

  #flowList(start: number, indent: number): YamlList {
    const text = this.#text;
    const items: YamlNode[] = [];
    let at = this.#skipSpaces(start + 1);
    while (text.charCodeAt(at) !== CLOSING_BRACKET) {
      if (items.length > 0) {
        if (text.charCodeAt(at) !== COMMA) throw HAND_OVER;
        at = this.#skipSpaces(at + 1);
      }
      const item = this.#flowItem(at);
      items.push(item);
      at = this.#skipSpaces(item.plain ? item.end : item.end + 1);
    }
    this.#finishLine(at + 1, indent);
    return { kind: "list", items, start, end: items.at(-1)?.end ?? start };
  }

  #skipSpaces(offset: number): number {
    let i = offset;
    while (this.#text.charCodeAt(i) === SPACE) i++;
    return i;
  }

  #flowItem(start: number): YamlScalar {
    const text = this.#text;
    const first = text.charCodeAt(start);
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.#quotedItem(start);
    let end = start;
    while (!FLOW_SPECIAL.has(text.charCodeAt(end))) end++;
    const after = text.charCodeAt(end);
    if (after !== COMMA && after !== CLOSING_BRACKET) throw HAND_OVER;
    while (end > start && text.charCodeAt(end - 1) === SPACE) end--;
    if (end === start || INDICATORS.has(first)) throw HAND_OVER;
    const source = text.slice(start, end);
    return { kind: "scalar", value: resolvePlain(source), source, plain: true, start, end };
  }

  #block(header: number, indent: number): YamlScalar {
    const block = foldBlock(this.#text, header, indent);
    if (block === undefined) throw HAND_OVER;
    this.#moveTo(block.next);
    if (this.#indent > indent) throw HAND_OVER;
    const { value, start, end } = block;
    return { kind: "scalar", value, source: value, plain: false, start, end };
  }
}

function hasKey(entries: readonly YamlEntry[], key: string): boolean {
  if (entries.length > 64) throw HAND_OVER;
  for (const entry of entries) if (entry.key === key) return true;
  return false;
}

function isKeyCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    code === HYPHEN ||
    code === 95 ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57)
  );
}
