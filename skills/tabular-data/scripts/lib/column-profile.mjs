import { formatDecimal, meanOf } from "./decimal.mjs";
import { DistinctValues } from "./distinct-values.mjs";
import { ExactSum } from "./exact-sum.mjs";
import { Extremes } from "./extremes.mjs";
import { isDate } from "./is-date.mjs";
import { readNumber, written } from "./read-number.mjs";

const MAX_DISTINCT = 1000;
const SHOWN_CHARACTERS = 40;

/** What is in one column, without keeping the column. Cells come as bytes, which costs no strings. */
export class ColumnProfile {
  constructor(name) {
    this.name = name;
    this.count = 0;
    this.empty = 0;
    this.numbers = 0;
    this.dates = 0;
    this.sum = new ExactSum();
    this.min = Infinity;
    this.max = -Infinity;
    this.extremes = new Extremes();
    this.first = undefined;
    this.last = undefined;
    this.values = new DistinctValues(MAX_DISTINCT);
  }

  add(bytes, start, end) {
    this.count++;
    if (start === end) {
      this.empty++;
      return;
    }
    if (!this.values.isMany) this.values.add(bytes, start, end);
    const code = bytes[start];
    // Digits, sign, point: all else cannot begin a number or a date.
    if (code > 57 || code < 43) return;
    const value = readNumber(bytes, start, end);
    if (value === value) this.#addNumber(value, bytes, start, end);
    else if (isDate(bytes, start, end)) this.#addDate(bytes, start, end);
  }

  #addNumber(value, bytes, start, end) {
    this.numbers++;
    if (written.scaled === written.scaled) this.sum.addShort(written.scaled, written.places);
    else this.sum.addLong(bytes.toString("latin1", start, end));
    if (value > this.min && value < this.max) return;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    this.extremes.add(value, () => bytes.toString("latin1", start, end));
  }

  #addDate(bytes, start, end) {
    this.dates++;
    if (this.first === undefined || compareBytes(bytes, start, end, this.first) < 0) {
      this.first = Buffer.from(bytes.subarray(start, end));
    }
    if (this.last === undefined || compareBytes(bytes, start, end, this.last) > 0) {
      this.last = Buffer.from(bytes.subarray(start, end));
    }
  }

  summary() {
    const filled = this.count - this.empty;
    const type = this.#type(filled);
    const { isMany, size } = this.values;
    return {
      name: this.name,
      type,
      filled,
      empty: this.empty,
      distinct: isMany ? `more than ${MAX_DISTINCT}` : size,
      ...(type === "number" && this.#numbers(filled)),
      ...(type === "date" && { first: this.first.toString(), last: this.last.toString() }),
      ...(type === "text" && this.numbers > 0 && { numbers: this.numbers }),
      ...(type === "text" && !isMany && { top: this.#top() }),
    };
  }

  /** As numbers, and in `exact` with all digits what a number cannot hold. */
  #numbers(filled) {
    const { min, max } = this.extremes;
    const sum = this.sum.value;
    const texts = Object.entries({ min, max, sum, mean: meanOf(sum, filled) }).map(
      ([key, decimal]) => [key, formatDecimal(decimal)],
    );
    const exact = texts.filter(([, text]) => String(Number(text)) !== text);
    return {
      ...Object.fromEntries(texts.map(([key, text]) => [key, Number(text)])),
      ...(exact.length > 0 && { exact: Object.fromEntries(exact) }),
    };
  }

  #type(filled) {
    if (filled === 0) return "empty";
    if (this.numbers === filled) return "number";
    return this.dates === filled ? "date" : "text";
  }

  #top() {
    return this.values
      .entries()
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, 3)
      .map(([value, times]) => `${shown(value)} (${times})`);
  }
}

/** In the order of the bytes, which for dates is that of the text. */
function compareBytes(bytes, start, end, other) {
  const length = Math.min(end - start, other.length);
  for (let at = 0; at < length; at++) {
    const order = bytes[start + at] - other[at];
    if (order !== 0) return order;
  }
  return end - start - other.length;
}

function shown(value) {
  const characters = Array.from(value.slice(0, 2 * SHOWN_CHARACTERS + 1));
  if (characters.length <= SHOWN_CHARACTERS) return value;
  return `${characters.slice(0, SHOWN_CHARACTERS).join("")}…`;
}
