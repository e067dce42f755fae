const ZERO = 48;
const NINE = 57;
const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * How the last number was written: a whole number in units of its last place. NaN when it has more
 * than 15 digits or an exponent. Kept here, because an object for each cell would cost too much.
 */
export const written = { scaled: Number.NaN, places: 0 };

/** The number that these bytes are, as JavaScript would read it; NaN when they are none. */
export function readNumber(bytes, start, end) {
  let at = start;
  const isNegative = bytes[at] === 45;
  if (isNegative || bytes[at] === 43) at++;
  let digits = 0;
  let places = 0;
  let value = 0;
  let point = -1;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + (byte - ZERO);
      digits++;
    } else if (byte === 46 && point === -1) point = at;
    else if (digits > 0 && (byte | 32) === 101) return readSlowly(bytes, start, end);
    else return Number.NaN;
  }
  if (digits === 0) return Number.NaN;
  // Up to 15 digits are exact, and so is the power of ten: one division rounds once, as it should.
  if (digits > 15) return readSlowly(bytes, start, end);
  if (point !== -1) places = end - point - 1;
  written.scaled = isNegative ? -value : value;
  written.places = places;
  const result = places === 0 ? value : value / POWERS[places];
  return isNegative ? -result : result;
}

function readSlowly(bytes, start, end) {
  written.scaled = Number.NaN;
  if (end - start > 1000) return Number.NaN;
  return numberOf(bytes.toString("latin1", start, end));
}

/** The same for a text, with blanks around it as people leave them. What is too large is none. */
export function numberOf(text) {
  const trimmed = text.trim();
  const value = NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
