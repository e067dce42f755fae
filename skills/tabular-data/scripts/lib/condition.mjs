import { columnIndex, UsageError } from "./command.mjs";
import { numberOf } from "./read-number.mjs";

const TOKEN =
  /\s*(?:(and|or|not|contains|starts|ends|empty)(?![\w-])|(<=|>=|!=|<>|==|=|<|>|≥|≤|≠|\(|\))|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s()<>=!"'≥≤≠]+))/giy;
const COMPARE = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

const SAME = { "==": "=", "<>": "!=", "≠": "!=", "≥": ">=", "≤": "<=" };
/** What people say for them, the longest first. */
const WORDS = [
  ["is greater than or equal to", ">="],
  ["is less than or equal to", "<="],
  ["is not equal to", "!="],
  ["does not equal", "!="],
  ["is not empty", "not empty"],
  ["is greater than", ">"],
  ["is more than", ">"],
  ["is less than", "<"],
  ["is at least", ">="],
  ["is at most", "<="],
  ["is equal to", "="],
  ["greater than", ">"],
  ["more than", ">"],
  ["less than", "<"],
  ["starts with", "starts"],
  ["ends with", "ends"],
  ["is empty", "empty"],
  ["is above", ">"],
  ["is below", "<"],
  ["at least", ">="],
  ["at most", "<="],
  ["is over", ">"],
  ["is under", "<"],
  ["equal to", "="],
  ["is not", "!="],
  ["equals", "="],
  ["above", ">"],
  ["below", "<"],
  ["over", ">"],
  ["under", "<"],
  ["is", "="],
].map(([words, operator]) => ({ words: words.split(" "), operator }));

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
    const operator = takeOperator();
    const word = operator.toLowerCase();
    if (word === "empty") return (cells) => cells[index] === "";
    if (word === "not empty") return (cells) => cells[index] !== "";
    const { text: value } = next("a value");
    if (word === "contains")
      return (cells) => cells[index].toLowerCase().includes(value.toLowerCase());
    if (word === "starts") return (cells) => cells[index].startsWith(value);
    if (word === "ends") return (cells) => cells[index].endsWith(value);
    const holds = Object.hasOwn(COMPARE, operator) ? COMPARE[operator] : undefined;
    if (holds === undefined) throw new UsageError(`"${operator}" is not a comparison in: ${text}`);
    return (cells) => holds(compareCells(cells[index], value));
  }

  function takeOperator() {
    const spoken = WORDS.find(({ words }) => words.every((word, i) => isWord(at + i, word)));
    if (spoken !== undefined) {
      at += spoken.words.length;
      return spoken.operator;
    }
    const { text: operator } = next("a comparison");
    return Object.hasOwn(SAME, operator) ? SAME[operator] : operator;
  }

  function isWord(place, word) {
    const token = tokens[place];
    return token !== undefined && !token.quoted && token.text.toLowerCase() === word;
  }

  function next(what) {
    const token = tokens[at++];
    if (token === undefined) throw new UsageError(`${what} is missing at the end of: ${text}`);
    return token;
  }

  function take(word) {
    if (!isWord(at, word)) return false;
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
