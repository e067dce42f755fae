#!/usr/bin/env node
// Converts a value from one unit to another, without rounding where the result has an end.
import { parseArgs } from "node:util";
import { Fraction } from "./lib/fraction.mjs";
import { convert, findUnit, kinds } from "./lib/units.mjs";

const USAGE = `usage: node scripts/convert.mjs <value> <from unit> <to unit> [--digits <n>]
       node scripts/convert.mjs --list`;

try {
  main();
} catch (error) {
  console.error(`error: ${error.message}\n${USAGE}`);
  process.exitCode = 2;
}

function main() {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(USAGE);
  if (values.list) return printUnits();
  // `10 km to miles` as people write it.
  const isSaid = positionals.length === 4 && /^(?:to|in|into|=)$/i.test(positionals[2]);
  const words = positionals.filter((_, i) => !isSaid || i !== 2);
  if (words.length !== 3)
    throw new Error("give a value and two units, in quotes when they have blanks");
  const value = valueOf(words[0]);
  const [from, to] = words.slice(1).map(unitOf);
  if (from.kind !== to.kind) {
    throw new Error(
      `${from.name} is ${from.kind}, ${to.name} is ${to.kind}: there is no way between them`,
    );
  }
  const { text, exact } = convert(value, from, to).toDecimal(digitsOf(values.digits));
  const given = shownValue(words[0], value);
  console.log(
    `${given} ${spelled(from, given)} = ${text} ${short(to, text)}${exact ? "" : " (rounded)"}`,
  );
}

/** What was understood, in words: `miles`, `US gallons`. */
function spelled({ name, symbols }, value) {
  const [symbol = ""] = symbols;
  if (symbol.startsWith("°")) return symbol;
  const words = name.replace(/^us\b/, "US").replace(/\bbritish\b/, "British");
  const isOne = /^-?1(?:\.0*)?$/.test(value) || /^-?\d+\/\d+$/.test(value);
  if (isOne || symbol === words || /(?:z|stone|celsius|kelvin|torr|jin|mu|s)$/.test(words))
    return words;
  const [, unit, rest] = /^(.*?)( per .*)?$/.exec(words);
  const plural = unit.replace(/foot$/, "feet").replace(/inch$/, "inche");
  return `${/(?:feet|horsepower)$/.test(plural) ? plural : `${plural}s`}${rest ?? ""}`;
}

function short(unit, value) {
  return unit.symbols[0] ?? spelled(unit, value);
}

function readArguments() {
  const options = {
    digits: { type: "string" },
    list: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  // A negative value is no option.
  const args = process.argv
    .slice(2)
    .map((word) => (/^-[\d.]/.test(word) ? `\u2212${word.slice(1)}` : word));
  return parseArgs({ args, options, allowPositionals: true });
}

/** All of it or nothing: a part of what was written is another number. */
function valueOf(text) {
  const value = Fraction.parse(text);
  if (value !== undefined) return value;
  const shown = text.slice(0, 60).replace("\u2212", "-");
  if (/\d\s*(?:[-\u2013\u2014]|\.\.+|to)\s*\d/.test(shown))
    throw new Error(`"${shown}" is not a number but a range: convert both ends`);
  if (/[\^*+x\u00D7]/.test(shown))
    throw new Error(`"${shown}" is not a number but a calculation: work it out first`);
  throw new Error(`"${shown}" is not a number`);
}

/** As it was typed; with commas as it was understood, since they mean one thing here, another there. */
function shownValue(text, value) {
  return text.includes(",") ? value.toDecimal(60).text : text.replace("\u2212", "-");
}

function unitOf(text) {
  const { unit, candidates } = findUnit(text);
  if (unit !== undefined) return unit;
  if (candidates.length > 0) {
    const meant = candidates.map((one) => `${one.symbol} is ${one.unit.name}`).join(", ");
    throw new Error(`"${text.slice(0, 60)}" is not clear, since the case counts: ${meant}`);
  }
  throw new Error(
    `there is no unit "${text.slice(0, 60)}"; node scripts/convert.mjs --list shows all`,
  );
}

function digitsOf(text = "12") {
  const digits = Number(text);
  if (Number.isInteger(digits) && digits >= 1 && digits <= 50) return digits;
  throw new Error(`--digits takes a number from 1 to 50, not ${text}`);
}

function printUnits() {
  for (const [kind, units] of kinds()) {
    console.log(`${kind}: ${units.map(listed).join(", ")}`);
  }
  console.log(
    "* with prefixes, such as kilo (k), mega (M), milli (m) and micro (µ); symbols count in their case",
  );
}

function listed({ name, symbols, prefixes }) {
  const [symbol = name] = symbols;
  return `${name}${symbol === name ? "" : ` (${symbol})`}${prefixes.length > 0 ? "*" : ""}`;
}
