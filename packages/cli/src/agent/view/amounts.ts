const SECOND_MS = 1000;
const MINUTE_S = 60;

/** `980`, `5.5k`, `1.2M`: as much as a person wants to know. */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [amount, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${amount < 99.95 ? Number(amount.toFixed(1)) : Math.round(amount)}${unit}`;
}

/** `0.4s`, `12s`, `3m 05s`. */
export function shortTime(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / SECOND_MS;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  return wholeTime(milliseconds);
}

/** The same without parts of a second, which would only flicker. */
export function wholeTime(milliseconds: number): string {
  const seconds = Math.round(Math.max(0, milliseconds) / SECOND_MS);
  if (seconds < MINUTE_S) return `${seconds}s`;
  const minutes = Math.floor(seconds / MINUTE_S);
  return `${minutes}m ${String(seconds % MINUTE_S).padStart(2, "0")}s`;
}

/** `1 step`, `2 steps`. */
export function counted(count: number, noun: string): string {
  return `${shortCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `$0.0042`, `$1.20`. */
export function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
