import { numberIn, Sum } from "./numbers.mjs";
import { detached } from "./plain-text.mjs";

const DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}[\d:.Z+-]*)?)?$/;
const MAX_DISTINCT = 100;
const MAX_KEPT = 200;

/** What is in one column, without keeping the column. */
export class ColumnSummary {
  #name;
  #filled = 0;
  #empty = 0;
  #numbers = 0;
  #dates = 0;
  #sum = new Sum();
  #min = Infinity;
  #max = -Infinity;
  #values = new Set();

  constructor(name) {
    this.#name = name;
  }

  add(cell) {
    if (cell.trim() === "") {
      this.#empty++;
      return;
    }
    this.#filled++;
    const key = cell.length > MAX_KEPT ? cell.slice(0, MAX_KEPT) : cell;
    if (this.#values.size <= MAX_DISTINCT && !this.#values.has(key))
      this.#values.add(detached(key));
    const value = numberIn(cell);
    if (value === undefined) {
      if (DATE.test(cell)) this.#dates++;
      return;
    }
    this.#numbers++;
    this.#sum.add(value);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  result() {
    const filled = this.#filled;
    const isMany = this.#values.size > MAX_DISTINCT;
    const type = this.#type();
    return {
      name: this.#name,
      type,
      filled,
      empty: this.#empty,
      distinct: isMany ? Infinity : this.#values.size,
      ...(type === "number" && {
        sum: this.#sum.value,
        mean: this.#sum.value / filled,
        min: this.#min,
        max: this.#max,
      }),
    };
  }

  #type() {
    if (this.#filled === 0) return "empty";
    if (this.#numbers === this.#filled) return "number";
    return this.#dates === this.#filled ? "date" : "text";
  }
}
