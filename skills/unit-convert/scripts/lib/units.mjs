import { UNITS } from "./unit-table.mjs";

export { kinds } from "./unit-table.mjs";

const BY_SYMBOL = new Map();
const BY_NAME = new Map();
const BY_FOLDED = new Map();
for (const unit of UNITS) {
  for (const name of unit.names) BY_NAME.set(wordsOf(name), unit);
  for (const symbol of unit.symbols) {
    BY_SYMBOL.set(symbol, unit);
    const folded = symbol.toLowerCase();
    BY_FOLDED.set(folded, [...(BY_FOLDED.get(folded) ?? []), { symbol, unit }]);
  }
}

/**
 * The unit of this name or symbol. Names count in any case, symbols as written: the case makes a
 * milliwatt of mW and a megawatt of MW. Another case is taken only where one unit alone can be meant.
 * Without a unit, `candidates` are what the symbol would be in another case.
 */
export function findUnit(text) {
  const name = text.trim().replaceAll(/\s+/g, " ");
  const exact = BY_SYMBOL.get(name) ?? BY_NAME.get(wordsOf(name));
  if (exact !== undefined) return { unit: exact, candidates: [] };
  const alike = BY_FOLDED.get(name.toLowerCase()) ?? [];
  const units = new Set(alike.map(({ unit }) => unit));
  if (units.size === 1 && isHarmless(name, alike[0].unit)) {
    return { unit: alike[0].unit, candidates: [] };
  }
  const single = name.length > 2 && name.endsWith("s") ? name.slice(0, -1) : "";
  const unit = single.length > 1 ? BY_SYMBOL.get(single) : undefined;
  return unit === undefined ? { candidates: firstOfEach(alike) } : { unit, candidates: [] };
}

/**
 * A single letter in another case is another sign, and so is one amid others: kN is no knot. What is
 * typed in one case throughout, or with a capital as at the beginning of a sentence, says nothing.
 */
function isHarmless(name, { hasPrefix }) {
  if (name.length < 2) return false;
  const isOneCase = name === name.toLowerCase() || name === name.toUpperCase();
  const isCapitalised = name.slice(1) === name.slice(1).toLowerCase();
  return isOneCase || (isCapitalised && !hasPrefix);
}

/** One symbol for each unit. */
function firstOfEach(alike) {
  return alike.filter(({ unit }, i) => alike.findIndex((one) => one.unit === unit) === i);
}

/** Words in any case, in the singular, with blanks or hyphens between. */
function wordsOf(name) {
  return name
    .toLowerCase()
    .split(/[\s-]+/)
    .map((word) => word.replace(/(?<=..)s$/, ""))
    .join(" ");
}

/** To the base unit of its kind and on from there. */
export function convert(value, from, to) {
  return value.plus(from.offset).times(from.factor).dividedBy(to.factor).minus(to.offset);
}
