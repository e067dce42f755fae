import { positions } from "./lines.mjs";
import { visible } from "./visible.mjs";

const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /(?:(?!["\\])[\x20-\uffff])*/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class Stop extends Error {}

/**
 * JSON as nodes that know their place: `{ type, value | items | entries, line, column }`. Undefined
 * after the first error of syntax; a key that stands twice is an error too, but reading goes on.
 */
export function readJson(text, findings) {
  const placeOf = positions(text);
  let at = 0;
  try {
    const node = value(0);
    blanks();
    if (at < text.length) fail(`${shown()} comes after the end`);
    return node;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return undefined;
  }

  function value(depth) {
    blanks();
    if (depth > MAX_DEPTH) fail(`more than ${MAX_DEPTH} levels`);
    const [line, column] = placeOf(at);
    const mark = text[at];
    if (mark === "{") return { type: "object", entries: object(depth), line, column };
    if (mark === "[") return { type: "array", items: array(depth), line, column };
    if (mark === '"') return { type: "string", value: string(), line, column };
    for (const [word, known] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ]) {
      if (!text.startsWith(word, at) || /[\w$]/.test(text[at + word.length] ?? "")) continue;
      at += word.length;
      return { type: known === null ? "null" : "boolean", value: known, line, column };
    }
    return { type: "number", value: number(), line, column };
  }

  function object(depth) {
    const entries = [];
    const seen = new Map();
    at++;
    blanks();
    if (text[at] === "}") {
      at++;
      return entries;
    }
    for (;;) {
      blanks();
      if (text[at] !== '"') {
        fail(
          text[at] === "}"
            ? "a comma before }"
            : `a key in double quotes is missing, not ${shown()}`,
        );
      }
      const [line, column] = placeOf(at);
      const key = string();
      const first = seen.get(key);
      if (first !== undefined) {
        findings.error(
          line,
          column,
          `the key "${visible(key)}" stands twice, first in line ${first}`,
        );
      } else seen.set(key, line);
      blanks();
      if (text[at] !== ":") fail(`a colon is missing after the key "${visible(key)}"`);
      at++;
      entries.push({ key, line, column, node: value(depth + 1) });
      blanks();
      if (text[at] === "}") break;
      if (text[at] !== ",") fail(`a comma or } is missing before ${shown()}`);
      at++;
    }
    at++;
    return entries;
  }

  function array(depth) {
    const items = [];
    at++;
    blanks();
    if (text[at] === "]") {
      at++;
      return items;
    }
    for (;;) {
      blanks();
      if (text[at] === "]") fail("a comma before ]");
      items.push(value(depth + 1));
      blanks();
      if (text[at] === "]") break;
      if (text[at] !== ",") fail(`a comma or ] is missing before ${shown()}`);
      at++;
    }
    at++;
    return items;
  }

  function string() {
    const start = at++;
    let result = "";
    for (;;) {
      PLAIN.lastIndex = at;
      const [plain] = PLAIN.exec(text);
      result += plain;
      at += plain.length;
      if (text[at] === '"') break;
      if (text[at] !== "\\") {
        const isEnd = at >= text.length || text[at] === "\n" || text[at] === "\r";
        if (isEnd) at = start;
        fail(isEnd ? "this text has no closing quote" : `${shown()} must be escaped in a text`);
      }
      const escape = text[at + 1];
      const code =
        escape === "u" ? /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0] : undefined;
      if (code !== undefined) {
        result += String.fromCharCode(Number.parseInt(code, 16));
        at += 6;
      } else if (escape !== undefined && Object.hasOwn(ESCAPES, escape)) {
        result += ESCAPES[escape];
        at += 2;
      } else fail(`\\${visible(escape ?? "")} is no escape`);
    }
    at++;
    return result;
  }

  function number() {
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(text)?.[0];
    if (found === undefined) fail(`a value is missing before ${shown()}`);
    if (/[\w.+]/.test(text[at + found.length] ?? "")) fail(`this is not a number: ${shown()}`);
    at += found.length;
    return Number(found);
  }

  function blanks() {
    while (at < text.length && " \t\n\r".includes(text[at])) at++;
    if (text[at] === "/" && "/*".includes(text[at + 1] ?? " ")) fail("JSON has no comments");
  }

  function shown() {
    if (at >= text.length) return "the end of the file";
    return `"${visible(/^(?:[\w$.+-]{1,20}|.)/su.exec(text.slice(at, at + 22))[0])}"`;
  }

  function fail(message) {
    findings.error(...placeOf(at), message);
    throw new Stop();
  }
}

/** The plain value of a node. */
export function plainValue(node) {
  if (node.type === "array") return node.items.map(plainValue);
  if (node.type !== "object") return node.value;
  const object = Object.create(null);
  for (const { key, node: inner } of node.entries) object[key] = plainValue(inner);
  return object;
}
