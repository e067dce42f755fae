import { ratioOf, type Times } from "../parse/measure-rounds.ts";

const NAME_WIDTH = 52;

/** How many times as long as the base; the bar is on the ratio of the medians. */
export function checkRatio(name: string, times: Times, base: Times, bar: number): boolean {
  const { median, min, max } = ratioOf(times, base);
  return check(name, median, bar, `   rounds ${min.toFixed(2)} to ${max.toFixed(2)}`);
}

/** Prints a value and whether it is within its bar. */
export function check(name: string, value: number, bar: number, note = ""): boolean {
  const ok = value <= bar;
  const verdict = `bar ≤ ${bar.toFixed(2)} ${ok ? "ok" : "MISS"}`;
  console.log(`${name.padEnd(NAME_WIDTH)}${value.toFixed(2).padStart(8)}   ${verdict}${note}`);
  return ok;
}

/** The bar on how much faster: the ratio of the medians must be at least this. */
export function checkFaster(name: string, slow: Times, fast: Times, bar: number): boolean {
  const { median, min, max } = ratioOf(slow, fast);
  const ok = median >= bar;
  const verdict = `bar ≥ ${bar.toFixed(2)} ${ok ? "ok" : "MISS"}`;
  const range = `rounds ${min.toFixed(2)} to ${max.toFixed(2)}`;
  console.log(`${name.padEnd(NAME_WIDTH)}${median.toFixed(2).padStart(8)}   ${verdict}   ${range}`);
  return ok;
}

/** A ratio that is there to be read: nothing depends on it. */
export function showRatio(name: string, times: Times, base: Times): void {
  const { median, min, max } = ratioOf(times, base);
  const range = `rounds ${min.toFixed(2)} to ${max.toFixed(2)}`;
  console.log(`${name.padEnd(NAME_WIDTH)}${median.toFixed(2).padStart(8)}   no bar   ${range}`);
}
