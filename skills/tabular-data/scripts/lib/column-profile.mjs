const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const MAX_DISTINCT = 1000;

/** What is in one column, without keeping the column. */
export class ColumnProfile {
  constructor(name) {
    this.name = name;
    this.count = 0;
    this.empty = 0;
    this.numbers = 0;
    this.dates = 0;
    this.sum = 0;
    this.lost = 0;
    this.min = undefined;
    this.max = undefined;
    this.first = undefined;
    this.last = undefined;
    this.values = new Map();
  }

  add(cell) {
    this.count++;
    if (cell === "") {
      this.empty++;
      return;
    }
    if (this.values.size <= MAX_DISTINCT) this.values.set(cell, (this.values.get(cell) ?? 0) + 1);
    const code = cell.charCodeAt(0);
    // Digits, sign, point: all else cannot begin a number or a date.
    if (code > 57 || code < 43) return;
    if (NUMBER.test(cell)) this.#addNumber(Number(cell));
    else if (DATE.test(cell)) this.#addDate(cell);
  }

  #addNumber(value) {
    this.numbers++;
    if (this.min === undefined || value < this.min) this.min = value;
    if (this.max === undefined || value > this.max) this.max = value;
    // What each addition rounds away is kept, so that a billion cents are still right.
    const sum = this.sum + value;
    this.lost +=
      Math.abs(this.sum) >= Math.abs(value) ? this.sum - sum + value : value - sum + this.sum;
    this.sum = sum;
  }

  #addDate(cell) {
    this.dates++;
    if (this.first === undefined || cell < this.first) this.first = cell;
    if (this.last === undefined || cell > this.last) this.last = cell;
  }

  summary() {
    const filled = this.count - this.empty;
    const type =
      filled === 0
        ? "empty"
        : this.numbers === filled
          ? "number"
          : this.dates === filled
            ? "date"
            : "text";
    const total = this.sum + this.lost;
    const isMany = this.values.size > MAX_DISTINCT;
    return {
      name: this.name,
      type,
      filled,
      empty: this.empty,
      distinct: isMany ? `more than ${MAX_DISTINCT}` : this.values.size,
      ...(type === "number" && { min: this.min, max: this.max, sum: total, mean: total / filled }),
      ...(type === "date" && { first: this.first, last: this.last }),
      ...(type === "text" && !isMany && { top: this.#top() }),
    };
  }

  #top() {
    return [...this.values]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, 3)
      .map(
        ([value, times]) => `${value.length > 40 ? `${value.slice(0, 40)}…` : value} (${times})`,
      );
  }
}
