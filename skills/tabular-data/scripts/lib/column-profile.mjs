import { DistinctValues } from "./distinct-values.mjs";
import { isDate } from "./is-date.mjs";
import { readNumber } from "./read-number.mjs";

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
    this.sum = 0;
    this.lost = 0;
    this.min = Infinity;
    this.max = -Infinity;
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
    if (value === value) this.#addNumber(value);
    else if (isDate(bytes, start, end)) this.#addDate(bytes, start, end);
  }

  #addNumber(value) {
    this.numbers++;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    // What each addition rounds away is kept, so that a billion cents are still right.
    const sum = this.sum + value;
    this.lost +=
      Math.abs(this.sum) >= Math.abs(value) ? this.sum - sum + value : value - sum + this.sum;
    this.sum = sum;
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
    const total = this.sum + this.lost;
    const { isMany, size } = this.values;
    return {
      name: this.name,
      type,
      filled,
      empty: this.empty,
      distinct: isMany ? `more than ${MAX_DISTINCT}` : size,
      ...(type === "number" && { min: this.min, max: this.max, sum: total, mean: total / filled }),
      ...(type === "date" && { first: this.first.toString(), last: this.last.toString() }),
      ...(type === "text" && this.numbers > 0 && { numbers: this.numbers }),
      ...(type === "text" && !isMany && { top: this.#top() }),
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
