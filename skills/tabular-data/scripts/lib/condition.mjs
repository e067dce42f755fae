import { columnIndex, UsageError } from "./command.mjs";
import { numberOf } from "./read-number.mjs";

const TOKEN =
  /\s*(?:(and|or|not|contains|starts|ends|empty)(?![\w-])|(<=|>=|!=|=|<|>|\(|\))|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s()<>=!"']+))/giy;
const COMPARE = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Makes a test of rows from a text such as `amount > 100 and region = "North"`. No code is run. */
export function parseCondition(text, names) {
  const tokens = tokenize(text);
  let at = 0;
  const test = parseOr();
  if (at < tokens.length) throw new UsageError(`"${tokens[at].text}" is one too many in: ${text}`);
  return test;

  function parseOr() {
    let left = parseAnd();
    while (take("or")) {
      const [a, b] = [left, parseAnd()];
      left = (cells) => a(cells) || b(cells);
    }
    return left;
  }

  function parseAnd() {
    let left = parseNot();
    while (take("and")) {
      const [a, b] = [left, parseNot()];
      left = (cells) => a(cells) && b(cells);
    }
    return left;
  }

  function parseNot() {
    if (take("not")) {
      const inner = parseNot();
      return (cells) => !inner(cells);
    }
    if (!take("(")) return parseComparison();
    const inner = parseOr();
    if (!take(")")) throw new UsageError(`a bracket is left open in: ${text}`);
    return inner;
  }

  function parseComparison() {
    const index = columnIndex(names, next("a column").text);
    const { text: operator } = next("a comparison");
    const word = operator.toLowerCase();
    if (word === "empty") return (cells) => cells[index] === "";
    const { text: value } = next("a value");
    if (word === "contains")
      return (cells) => cells[index].toLowerCase().includes(value.toLowerCase());
    if (word === "starts") return (cells) => cells[index].startsWith(value);
    if (word === "ends") return (cells) => cells[index].endsWith(value);
    const holds = Object.hasOwn(COMPARE, operator) ? COMPARE[operator] : undefined;
    if (holds === undefined) throw new UsageError(`"${operator}" is no comparison in: ${text}`);
    return (cells) => holds(compareCells(cells[index], value));
  }

  function next(what) {
    const token = tokens[at++];
    if (token === undefined) throw new UsageError(`${what} is missing at the end of: ${text}`);
    return token;
  }

  function take(word) {
    const token = tokens[at];
    if (token === undefined || token.quoted || token.text.toLowerCase() !== word) return false;
    at++;
    return true;
  }
}

function tokenize(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new UsageError(`this cannot be read: ${text.slice(at)}`);
    const [, word, operator, double, single, plain] = match;
    const quoted = double ?? single;
    tokens.push({
      text: quoted?.replaceAll(/\\(.)/g, "$1") ?? word ?? operator ?? plain,
      quoted: quoted !== undefined,
    });
  }
  return tokens;
}

/** Numbers by value, all else by text. */
export function compareCells(a, b) {
  const x = numberOf(a);
  const y = numberOf(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}
