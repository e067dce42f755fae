import { readFileSync } from "node:fs";
import { Fraction } from "./fraction.mjs";
import { prefixesOf } from "./prefixes.mjs";

const TABLE = JSON.parse(readFileSync(new URL("../../assets/units.json", import.meta.url), "utf8"));

/** Every unit, with and without prefixes: `name` is the one that is shown, `symbols[0]` the usual one. */
export const UNITS = Object.entries(TABLE).flatMap(([kind, rows]) =>
  rows.flatMap((row) => [plainUnit(kind, row), ...prefixedUnits(kind, row)]),
);

/** The units of each kind as they stand in the table, with how many prefixes they take. */
export function kinds() {
  return Object.entries(TABLE).map(([kind, rows]) => [
    kind,
    rows.map((row) => ({ ...plainUnit(kind, row), prefixes: prefixesOf(row.prefixes) })),
  ]);
}

function plainUnit(kind, { symbols, names, factor, offset = "0" }) {
  return {
    kind,
    name: names[0] ?? symbols[0],
    symbols,
    names,
    factor: Fraction.parse(factor),
    offset: Fraction.parse(offset),
    hasPrefix: false,
  };
}

function prefixedUnits(kind, row) {
  const base = plainUnit(kind, row);
  // A unit without a name, such as bar, is called by its symbol.
  const baseNames = base.names.length === 0 ? base.symbols : base.names;
  return prefixesOf(row.prefixes).map(({ name: prefix, symbols, power }) => {
    const names = baseNames.filter(isLatin).map((name) => prefix + lowerFirst(name));
    return {
      ...base,
      name: names[0],
      // A prefix stands before signs such as `m`, not before words such as `sec`.
      symbols: symbols.flatMap((sign) => base.symbols.filter(takesPrefix).map((one) => sign + one)),
      names: [...names, ...(row.also?.[names[0]] ?? [])],
      factor: base.factor.times(Fraction.parse(`1e${power}`)),
      hasPrefix: true,
    };
  });
}

function isLatin(name) {
  return /^[a-z ]+$/i.test(name);
}

function lowerFirst(name) {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function takesPrefix(symbol) {
  return symbol !== "sec";
}
