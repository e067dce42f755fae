import { compareDecimals, parseDecimal } from "./decimal.mjs";

/** The smallest and the largest number, with all of their digits. */
export class Extremes {
  #least = { value: Infinity };
  #most = { value: -Infinity };

  /** A number, and a function that gives its text when that is needed. */
  add(value, textOf) {
    if (value <= this.#least.value) this.#least = this.#chosen(this.#least, value, textOf, -1);
    if (value >= this.#most.value) this.#most = this.#chosen(this.#most, value, textOf, 1);
  }

  get min() {
    return this.#least.decimal;
  }

  get max() {
    return this.#most.decimal;
  }

  #chosen(known, value, textOf, side) {
    // Numbers of few digits are equal when their values are.
    if (value === known.value && known.isShort) return known;
    const text = textOf();
    const decimal = parseDecimal(text);
    if (value === known.value && compareDecimals(decimal, known.decimal) !== side) return known;
    return { value, decimal, isShort: text.trim().length <= 15 };
  }
}
