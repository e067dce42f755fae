import type { PairedEffect } from "./mcnemar-power.ts";
import { normalQuantile } from "./normal-distribution.ts";

const ALPHA = 0.05;
const POWER = 0.8;

/** Pairs of cases that show such an effect with 80 % power, two-sided at 5 % (Miettinen's formula). */
export function pairsNeeded(
  { difference, discordant }: PairedEffect,
  { alpha = ALPHA, power = POWER }: { readonly alpha?: number; readonly power?: number } = {},
): number {
  if (difference === 0) return Number.POSITIVE_INFINITY;
  const root =
    normalQuantile(1 - alpha / 2) * Math.sqrt(discordant) +
    normalQuantile(power) * Math.sqrt(Math.max(0, discordant - difference ** 2));
  return Math.ceil((root / difference) ** 2);
}
