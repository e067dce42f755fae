import { readFileSync } from "node:fs";
import { Fraction } from "./fraction.mjs";

const TABLE = JSON.parse(readFileSync(new URL("../../assets/units.json", import.meta.url), "utf8"));

/** All units by every name that they have. Symbols count as written, names in any case. */
const BY_NAME = new Map();
for (const [kind, units] of Object.entries(TABLE)) {
  for (const { names, factor, offset = "0" } of units) {
    const unit = {
      kind,
      name: names[0],
      names,
      factor: Fraction.parse(factor),
      offset: Fraction.parse(offset),
    };
    for (const name of names) BY_NAME.set(name, unit);
  }
}

export function findUnit(text) {
  const name = text.trim();
  const exact = BY_NAME.get(name);
  if (exact !== undefined) return exact;
  const folded = name.toLowerCase();
  const alike = [...BY_NAME].filter(([known]) => known.toLowerCase() === folded);
  if (new Set(alike.map(([, unit]) => unit)).size === 1) return alike[0][1];
  return BY_NAME.get(folded.replace(/s$/, ""));
}

/** To the base unit of its kind and on from there. */
export function convert(value, from, to) {
  return value.plus(from.offset).times(from.factor).dividedBy(to.factor).minus(to.offset);
}

export function kinds() {
  return Object.entries(TABLE);
}
