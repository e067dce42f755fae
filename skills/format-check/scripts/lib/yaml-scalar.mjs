import { visible } from "./visible.mjs";

const INTEGER = /^(?:[-+]?\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const OLD_BOOLEAN = /^(?:yes|no|on|off)$/i;
const ESCAPES = {
  0: "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

/** A plain or quoted scalar as the core schema of YAML 1.2 reads it. */
export function scalarNode(text, line, column, findings) {
  const node = (type, value) => ({ type, value, line, column });
  if (text.startsWith('"')) return node("string", unescape(text.slice(1, -1)));
  if (text.startsWith("'")) return node("string", text.slice(1, -1).replaceAll("''", "'"));
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return node("null", null);
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) {
    return node("boolean", text.toLowerCase() === "true");
  }
  if (INTEGER.test(text)) {
    if (/^[-+]?0\d/.test(text)) {
      findings?.warning(
        line,
        column,
        `${visible(text)} is ${Number(text)} here, but an octal number for older readers: put it in quotes if it is a text`,
      );
    }
    return node("number", Number(text));
  }
  if (FLOAT.test(text)) return node("number", Number(text));
  if (SPECIAL.test(text)) return node("number", specialNumber(text));
  if (OLD_BOOLEAN.test(text)) {
    findings?.warning(
      line,
      column,
      `${text} is a text here, but true or false for older readers: put it in quotes`,
    );
  }
  return node("string", text);
}

/** Undefined when there is an escape that YAML does not know. */
export function unescape(text) {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gsu,
    (all, x, u, long, mark) => {
      const code = x ?? u ?? long;
      if (code === undefined) return Object.hasOwn(ESCAPES, mark) ? ESCAPES[mark] : all;
      const number = Number.parseInt(code, 16);
      return number > 0x10ffff ? all : String.fromCodePoint(number);
    },
  );
}

/** The first escape in a double-quoted text that means nothing. */
export function wrongEscape(text) {
  for (const { 0: found, 1: code, 2: mark } of text.matchAll(
    /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|\\(.)/gsu,
  )) {
    if (code === undefined && !Object.hasOwn(ESCAPES, mark)) return found;
  }
  return undefined;
}

function specialNumber(text) {
  if (/nan/i.test(text)) return Number.NaN;
  return text.startsWith("-") ? -Infinity : Infinity;
}
