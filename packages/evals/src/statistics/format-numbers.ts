import { plural } from "@skillwright/core/internal";
import type { Difference, Interval, Rate } from "./rates.ts";

/** `92 % (11 of 12 cases, 95 % interval 65 to 99 %)`: a percentage never stands alone. */
export function formatRate({ value, successes, n, trials, low, high }: Rate): string {
  if (value === null) return "nothing judged";
  const count = `${number(successes)} of ${number(n)} ${n === 1 ? "case" : "cases"}`;
  const each = trials > n ? ` with ${trials} trials` : "";
  return `${percent(value)} % (${count}${each}, 95 % interval ${range({ low, high })} %)`;
}

/** `+20 points (95 % interval +6 to +34, 50 cases)`. */
export function formatDifference({ value, low, high, n }: Difference): string {
  const [from, to] = [signed(low), signed(high)];
  const cases = plural(n, "case");
  return `${signed(value)} points (95 % interval ${from} to ${to}, ${cases})`;
}

/** `0.03`, `< 0.001`. */
export function formatProbability(p: number): string {
  if (p < 0.001) return "< 0.001";
  return `= ${p < 0.1 ? p.toPrecision(2) : p.toFixed(2)}`;
}

/** `65 to 99 %`. */
export function formatInterval(interval: Interval): string {
  return `${range(interval)} %`;
}

function range({ low, high }: Interval): string {
  return `${percent(low)} to ${percent(high)}`;
}

/** Never 100 for what is less, nor 0 for what is more. */
function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return share > 0.995 ? "> 99" : "99";
  if (rounded === 0 && share > 0) return "< 1";
  return `${rounded}`;
}

function signed(share: number): string {
  const points = Math.round(share * 100);
  return points > 0 ? `+${points}` : `${points === 0 ? 0 : points}`;
}

function number(count: number): string {
  return Number.isInteger(count) ? `${count}` : count.toFixed(1);
}
