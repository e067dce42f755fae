import { FORMATS } from "./formats.mjs";
import { patternOf, safeTest } from "./safe-test.mjs";
import { visible } from "./visible.mjs";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TYPES = {
  text: () => true,
  integer: (text) => /^[+-]?\d+$/.test(text),
  number: (text) => NUMBER.test(text),
  boolean: (text) => /^(?:true|false|0|1|yes|no)$/i.test(text),
};
const MAX_UNIQUE = 2_000_000;

/** A check of the cells of one column, made from its rule. */
export function columnCheck(rule, findings) {
  const { name = "", type = "text", required, unique, min, max } = rule;
  const isType = TYPES[type] ?? FORMATS.get(type);
  const pattern =
    rule.pattern === undefined ? undefined : patternOf(rule.pattern, `column ${name}`);
  const allowed = rule.enum === undefined ? undefined : new Set(rule.enum.map(String));
  const seen = new Map();
  return ({ text, line, column }) => {
    const wrong = (message) => findings.error(line, column, `${visible(name)}: ${message}`);
    const shown = `"${visible(text, 40)}"`;
    if (text === "") {
      if (required === true) wrong("the cell is empty");
      return;
    }
    if (!isType(text)) {
      wrong(`${shown} is not a valid ${type}`);
      return;
    }
    if (allowed !== undefined && !allowed.has(text))
      wrong(`${shown} is not one of ${visible([...allowed].join(", "), 100)}`);
    if (pattern !== undefined && !safeTest(pattern, text))
      wrong(`${shown} does not fit ${visible(pattern.source)}`);
    if (min !== undefined && isBelow(text, min)) wrong(`${shown} is below ${min}`);
    if (max !== undefined && isBelow(max, text)) wrong(`${shown} is above ${max}`);
    if (unique !== true) return;
    const first = seen.get(text);
    if (first !== undefined) wrong(`${shown} is repeated, first in line ${first}`);
    else if (seen.size < MAX_UNIQUE) seen.set(text, line);
    else
      throw new Error(
        `column ${name}: more than ${MAX_UNIQUE} different values cannot be checked for being unique`,
      );
  };
}

/** Numbers by value, dates by their text. */
function isBelow(a, b) {
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? String(a) < String(b) : x < y;
}
