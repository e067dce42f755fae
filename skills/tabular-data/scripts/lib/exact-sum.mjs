import { parseDecimal } from "./decimal.mjs";

const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power);
const MAX_SHORT = 15;

/** Adds up numbers without losing a digit: in whole units of the last place that any of them has. */
export class ExactSum {
  #places = 0;
  // What fits is added as a number, which is quick, and only now and then to the rest.
  #small = 0;
  #large = 0n;

  /** A text that `numberOf` accepts, and that number. */
  add(text, value) {
    const trimmed = text.trim();
    if (trimmed.length > MAX_SHORT || /e/i.test(trimmed)) return this.addLong(trimmed);
    const point = trimmed.indexOf(".");
    const places = point === -1 ? 0 : trimmed.length - point - 1;
    // Fifteen digits are read and multiplied with an error far below one half.
    this.addShort(places === 0 ? value : Math.round(value * POWERS[places]), places);
  }

  /** A whole number of at most 15 digits, in units of that place. */
  addShort(scaled, places) {
    let units = scaled;
    if (places !== this.#places) {
      if (places > this.#places) this.#refine(places);
      else {
        const factor = POWERS[this.#places - places];
        units = factor === undefined ? Infinity : scaled * factor;
        if (!Number.isSafeInteger(units)) return this.#addLarge(BigInt(scaled), places);
      }
    }
    const sum = this.#small + units;
    if (Number.isSafeInteger(sum)) this.#small = sum;
    else {
      this.#large += BigInt(this.#small) + BigInt(units);
      this.#small = 0;
    }
  }

  addLong(text) {
    const { scaled, places } = parseDecimal(text);
    if (places > this.#places) this.#refine(places);
    this.#addLarge(scaled, places);
  }

  get value() {
    return { scaled: this.#large + BigInt(this.#small), places: this.#places };
  }

  #addLarge(scaled, places) {
    this.#large += scaled * 10n ** BigInt(this.#places - places);
  }

  #refine(places) {
    this.#large = (this.#large + BigInt(this.#small)) * 10n ** BigInt(places - this.#places);
    this.#small = 0;
    this.#places = places;
  }
}
