import { binomialProbability } from "./binomial-probability.ts";
import { binomialTail } from "./binomial-tail.ts";

export interface PairedEffect {
  /** Share of pairs that got better minus share that got worse. */
  readonly difference: number;
  /** Share of pairs that differ at all; at least the size of the difference. */
  readonly discordant: number;
}

const ALPHA = 0.05;

/** How probably the exact test finds such an effect in so many pairs: all outcomes, enumerated. */
export function mcnemarPower(
  pairs: number,
  { difference, discordant }: PairedEffect,
  alpha = ALPHA,
): number {
  if (discordant <= 0) return 0;
  const better = (discordant + difference) / (2 * discordant);
  let power = 0;
  let critical = -1;
  for (let differing = 0; differing <= pairs; differing++) {
    // The most of the rarer kind with which the test still rejects grows by at most one.
    if (2 * binomialTail(critical + 1, differing, 0.5) <= alpha) critical++;
    if (critical < 0) continue;
    const rejects =
      binomialTail(critical, differing, better) + binomialTail(critical, differing, 1 - better);
    power += binomialProbability(differing, pairs, discordant) * rejects;
  }
  return power;
}
