import { compareCells } from "./condition.mjs";

const MAX_ROWS = 200_000;
/** Sorting now and then is cheaper than keeping order all the time. */
const MIN_ROWS = 1000;

/** The first rows of a table when it is sorted by a column; never keeps many more than those. */
export class SortedRows {
  #rows = [];
  #compare;
  #most;

  constructor(index, most, isAscending) {
    const sign = isAscending ? 1 : -1;
    this.#most = most;
    this.#compare = (a, b) => {
      // What is empty has no place in the order.
      if (a[index] === "" || b[index] === "")
        return Number(a[index] === "") - Number(b[index] === "");
      return sign * compareCells(a[index], b[index]);
    };
  }

  add(cells) {
    // Copied: a cell itself would keep the megabyte that it was cut from.
    this.#rows.push(JSON.parse(JSON.stringify(cells)));
    if (this.#rows.length < Math.min(MAX_ROWS, Math.max(MIN_ROWS, this.#most * 2))) return;
    this.#cut();
    if (this.#rows.length >= MAX_ROWS)
      throw new Error(`more than ${MAX_ROWS} rows cannot be sorted; say how many with --limit`);
  }

  rows() {
    this.#cut();
    return this.#rows;
  }

  #cut() {
    this.#rows = this.#rows.sort(this.#compare).slice(0, this.#most);
  }
}
