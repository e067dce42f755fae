import type { Rate } from "../statistics/rate.ts";

const INTEGER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** `12,400`, `3.25`. */
export function numberText(value: number): string {
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? INTEGER.format(value)
    : SMALL.format(value);
}

/** `85 ms`, `1.2 s`, `3 min 20 s`. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${numberText(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${numberText(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `92 %`; never 100 for what is less, nor 0 for what is more. */
export function percentText(share: number | null): string {
  if (share === null) return "–";
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return "99 %";
  return rounded === 0 && share > 0 ? "< 1 %" : `${rounded} %`;
}

/** `65 to 99 %`. */
export function rangeText({ low, high }: Pick<Rate, "low" | "high">): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

/** `+20`, `−3`, in points. */
export function pointsText(share: number): string {
  const points = Math.round(share * 100);
  if (points === 0) return "0";
  return points > 0 ? `+${points}` : `−${-points}`;
}
