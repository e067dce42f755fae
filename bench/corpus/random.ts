/** Seeded random choices: the same seed gives the same choices on every machine. */
export interface Random {
  /** At least 0 and below 1. */
  fraction(): number;
  /** From `low` to `high`, both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Picks by weight; the weights need not add up to anything. */
  weighted<T>(choices: readonly (readonly [weight: number, item: T])[]): T;
  size(spread: Spread): number;
}

/** What is known of a real distribution of sizes. */
interface Spread {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

const P99_DEVIATIONS = 2.326;
/** Where the largest of some ten thousand samples lies. */
const MAX_DEVIATIONS = 3.8;

export function createRandom(seed: number): Random {
  const fraction = mulberry32(seed);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(fraction() * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  };
  return {
    fraction,
    pick,
    integer: (low, high) => low + Math.floor(fraction() * (high - low + 1)),
    chance: (probability) => fraction() < probability,
    weighted(choices) {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0);
      let left = fraction() * total;
      const found = choices.find(([weight]) => (left -= weight) < 0) ?? choices.at(-1);
      if (found === undefined) throw new RangeError("nothing to choose from");
      return found[1];
    },
    size: (spread) => logNormal(spread, deviations(fraction)),
  };
}

/** Log-normal up to the 99th percentile; beyond, the tail is stretched to meet the maximum. */
function logNormal({ median, p99, max }: Spread, z: number): number {
  if (z <= P99_DEVIATIONS) return Math.round(median * (p99 / median) ** (z / P99_DEVIATIONS));
  const beyond = (z - P99_DEVIATIONS) / (MAX_DEVIATIONS - P99_DEVIATIONS);
  return Math.round(p99 * (max / p99) ** Math.min(1, beyond));
}

/** Normally distributed, by the method of Box and Muller. */
function deviations(fraction: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
}
