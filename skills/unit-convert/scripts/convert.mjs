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
  const words = positionals.filter(
    (word) => !/^(?:to|in|into|=)$/i.test(word) || positionals.length <= 3,
  );
  if (words.length !== 3)
    throw new Error("give a value and two units, in quotes when they have blanks");
  const value = Fraction.parse(words[0]);
  if (value === undefined) throw new Error(`"${words[0].slice(0, 60)}" is no number`);
  const [from, to] = words.slice(1).map(unitOf);
  if (from.kind !== to.kind) {
    throw new Error(
      `${from.name} is ${from.kind}, ${to.name} is ${to.kind}: there is no way between them`,
    );
  }
  const { text, exact } = convert(value, from, to).toDecimal(digitsOf(values.digits));
  console.log(
    `${words[0].replace("\u2212", "-")} ${from.name} = ${text} ${to.name}${exact ? "" : " (rounded)"}`,
  );
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

function unitOf(text) {
  const unit = findUnit(text);
  if (unit !== undefined) return unit;
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
    console.log(
      `${kind}: ${units.map(({ names }) => names.slice(0, 2).join(" (") + (names[1] ? ")" : "")).join(", ")}`,
    );
  }
}
