/** The prefixes of the SI: how they are written, and the power of ten that they stand for. */
const PREFIXES = [
  { name: "quetta", symbols: ["Q"], power: 30 },
  { name: "ronna", symbols: ["R"], power: 27 },
  { name: "yotta", symbols: ["Y"], power: 24 },
  { name: "zetta", symbols: ["Z"], power: 21 },
  { name: "exa", symbols: ["E"], power: 18 },
  { name: "peta", symbols: ["P"], power: 15 },
  { name: "tera", symbols: ["T"], power: 12 },
  { name: "giga", symbols: ["G"], power: 9 },
  { name: "mega", symbols: ["M"], power: 6 },
  // No other prefix is a K, and many write it so.
  { name: "kilo", symbols: ["k", "K"], power: 3 },
  { name: "hecto", symbols: ["h"], power: 2 },
  { name: "deca", symbols: ["da"], power: 1 },
  { name: "deci", symbols: ["d"], power: -1 },
  { name: "centi", symbols: ["c"], power: -2 },
  { name: "milli", symbols: ["m"], power: -3 },
  // Micro sign, Greek letter, and what keyboards have.
  { name: "micro", symbols: ["\u00B5", "\u03BC", "u"], power: -6 },
  { name: "nano", symbols: ["n"], power: -9 },
  { name: "pico", symbols: ["p"], power: -12 },
  { name: "femto", symbols: ["f"], power: -15 },
  { name: "atto", symbols: ["a"], power: -18 },
  { name: "zepto", symbols: ["z"], power: -21 },
  { name: "yocto", symbols: ["y"], power: -24 },
  { name: "ronto", symbols: ["r"], power: -27 },
  { name: "quecto", symbols: ["q"], power: -30 },
];

/** Those that a unit takes: all, those above a hundred, or the named ones. */
export function prefixesOf(which = []) {
  if (which === "all") return PREFIXES;
  if (which === "large") return PREFIXES.filter(({ power }) => power >= 3);
  return PREFIXES.filter(({ name }) => which.includes(name));
}
