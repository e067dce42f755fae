/** A number without rounding: two integers. */
export class Fraction {
  constructor(numerator, denominator = 1n) {
    const sign = denominator < 0n ? -1n : 1n;
    const common = greatestCommonDivisor(abs(numerator), abs(denominator));
    this.numerator = (sign * numerator) / common;
    this.denominator = (sign * denominator) / common;
  }

  /** From `12`, `-0.5`, `1e-3`, `1,234.5`, `1.234,5`, `0,5` or `5/9`; undefined for anything else. */
  static parse(text) {
    const parts = text.trim().split("/");
    if (parts.length > 2) return undefined;
    const [over, under] = parts.map(parseDecimal);
    if (over === undefined || (parts.length === 2 && under === undefined)) return undefined;
    if (under === undefined) return over;
    return under.numerator === 0n ? undefined : over.dividedBy(under);
  }

  plus(other) {
    const over = this.numerator * other.denominator + other.numerator * this.denominator;
    return new Fraction(over, this.denominator * other.denominator);
  }

  minus(other) {
    return this.plus(new Fraction(-other.numerator, other.denominator));
  }

  times(other) {
    return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  dividedBy(other) {
    return new Fraction(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  /** All digits when the number has an end, otherwise so many of them. */
  toDecimal(digits) {
    const places = exactPlaces(this.denominator);
    if (places !== undefined && places <= MAX_PLACES) {
      return { text: this.#withPlaces(places), exact: true };
    }
    const whole = abs(this.numerator) / this.denominator;
    const wholeDigits = whole === 0n ? 0 : String(whole).length;
    const leading = whole === 0n ? this.#leadingZeros() : 0;
    const shown = Math.max(0, digits - wholeDigits + leading);
    return { text: this.#withPlaces(shown), exact: false };
  }

  #leadingZeros() {
    let scaled = abs(this.numerator);
    let zeros = 0;
    while (scaled !== 0n && scaled * 10n < this.denominator) {
      scaled *= 10n;
      zeros++;
    }
    return zeros;
  }

  #withPlaces(places) {
    const scale = 10n ** BigInt(places);
    // Half is rounded away from zero, as people do.
    const scaled = (abs(this.numerator) * scale * 2n + this.denominator) / (this.denominator * 2n);
    const digits = String(scaled).padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places);
    const rest = places === 0 ? "" : `.${digits.slice(-places)}`.replace(/\.?0+$/, "");
    const sign = this.numerator < 0n && scaled !== 0n ? "-" : "";
    return `${sign}${whole}${rest}`;
  }
}

const MAX_PLACES = 60;
const MAX_EXPONENT = 400;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;

function parseDecimal(text) {
  const match = text.length > 1000 ? null : DECIMAL.exec(withPoint(text.trim().replace("−", "-")));
  if (match === null) return undefined;
  const [, sign, whole, rest = "", exponent = "0"] = match;
  const digits = whole + rest;
  if (digits === "" || Math.abs(Number(exponent)) > MAX_EXPONENT) return undefined;
  const power = Number(exponent) - rest.length;
  const value = BigInt(digits) * (sign === "-" ? -1n : 1n);
  return power >= 0
    ? new Fraction(value * 10n ** BigInt(power))
    : new Fraction(value, 10n ** BigInt(-power));
}

/** `1,234.5` and `1.234,5` as `1234.5`; one comma before other than three digits is a decimal one. */
function withPoint(text) {
  const grouped = (mark) => new RegExp(`^[+-]?[1-9]\\d{0,2}(?:\\${mark}\\d{3})+(?![\\d\\${mark}])`);
  if (grouped(",").test(text)) return text.replaceAll(",", "");
  if (!text.includes(",")) return text;
  const isGerman = grouped(".").test(text) || /^[+-]?\d+,/.test(text);
  // A second comma is left, and is not a number.
  return isGerman ? text.replaceAll(/\.(?=.*,)/g, "").replace(",", ".") : text;
}

/** How many places a decimal with this denominator has; undefined when it never ends. */
function exactPlaces(denominator) {
  let rest = denominator;
  let [twos, fives] = [0, 0];
  while (rest % 2n === 0n) {
    rest /= 2n;
    twos++;
  }
  while (rest % 5n === 0n) {
    rest /= 5n;
    fives++;
  }
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

function abs(value) {
  return value < 0n ? -value : value;
}

function greatestCommonDivisor(a, b) {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
