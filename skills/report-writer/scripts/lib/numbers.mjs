const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 15 });
const STEPS = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];
const LARGEST_WRITTEN_OUT = 1e15;
const SMALLEST_WRITTEN_OUT = 1e-6;

/** A finite number, or undefined: also for `=1+1`, `1,234`, `0x10`, `Infinity` and `1e999`. */
export function numberIn(cell) {
  const text = cell.trim();
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Adds up without losing what each addition rounds away. */
export class Sum {
  #sum = 0;
  #lost = 0;

  add(value) {
    const sum = this.#sum + value;
    this.#lost +=
      Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  /** Infinite, never NaN, when the sum is too large for a number. */
  get value() {
    const total = this.#sum + this.#lost;
    return Number.isNaN(total) ? this.#sum : total;
  }
}

/** With a comma at each thousand: `1,234.5`; very large and very small ones as `1.5e+21`. */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return "too large";
  const rounded = Number(value.toPrecision(15));
  const size = Math.abs(rounded);
  const isPlain = size === 0 || (size >= SMALLEST_WRITTEN_OUT && size < LARGEST_WRITTEN_OUT);
  return isPlain ? GROUPED.format(rounded) : String(rounded);
}

/** Short, for axes: `1.5M`, `-20k`. Up to four digits stay as they are: `2024` may be a year. */
export function formatTick(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < SMALLEST_WRITTEN_OUT || size >= LARGEST_WRITTEN_OUT))
    return String(Number(value.toPrecision(6)));
  const [step, letter] = size < 1e4 ? [1, ""] : STEPS.find(([least]) => size >= least);
  return `${Number((value / step).toPrecision(12))}${letter}`;
}

export function formatShare(part, whole) {
  return `${((part / whole) * 100).toFixed(1)} %`;
}
