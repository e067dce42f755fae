const PARTS = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;
const MAX_PLACES = 400;
const MEAN_DIGITS = 6;

/**
 * A number as text in whole units of its last place: `-1.50` is -150 with 2 places. The text is one
 * that `numberOf` accepts. What is far too small to be seen is nothing.
 */
export function parseDecimal(text) {
  const [, sign, whole, rest, exponent = "0"] = PARTS.exec(text.trim());
  const power = Number(exponent) - rest.length;
  if (power < -MAX_PLACES) return { scaled: 0n, places: 0 };
  const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${rest}`);
  // Digits without a value have no size, whatever their exponent.
  if (digits === 0n) return { scaled: 0n, places: 0 };
  return power > 0
    ? { scaled: digits * 10n ** BigInt(power), places: 0 }
    : { scaled: digits, places: -power };
}

export function compareDecimals(a, b) {
  const places = Math.max(a.places, b.places);
  const difference = atPlaces(a, places) - atPlaces(b, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function atPlaces({ scaled, places }, wanted) {
  return scaled * 10n ** BigInt(wanted - places);
}

/** All of its digits; very large and very small ones as `1.5e+21`. */
export function formatDecimal({ scaled, places }) {
  const sign = scaled < 0n ? "-" : "";
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const rest = digits.slice(digits.length - places).replace(/0+$/, "");
  const text = `${sign}${whole}${rest === "" ? "" : `.${rest}`}`;
  // Short as long as that says the same.
  const short = String(Number(text));
  return short.includes("e") && isSame(short, { scaled, places }) ? short : text;
}

function isSame(text, decimal) {
  return compareDecimals(parseDecimal(text), decimal) === 0;
}

/** The mean: with the places of the sum and two more, and at least 6 digits when it never ends. */
export function meanOf({ scaled, places }, count) {
  const size = scaled < 0n ? -scaled : scaled;
  const divisor = BigInt(count) * 10n ** BigInt(places);
  const whole = size / divisor;
  const shown = Math.max(places + 2, MEAN_DIGITS - firstDigit(size, divisor, whole));
  // Half is rounded away from zero, as people do.
  const rounded = (size * 10n ** BigInt(shown) * 2n + divisor) / (divisor * 2n);
  return { scaled: scaled < 0n ? -rounded : rounded, places: shown };
}

/** Where the first digit stands: 3 for 123.4, 0 for 0.5, -1 for 0.05. */
function firstDigit(size, divisor, whole) {
  if (whole > 0n) return String(whole).length;
  let at = 0;
  for (let rest = size * 10n; rest !== 0n && rest < divisor; rest *= 10n) at--;
  return at;
}
