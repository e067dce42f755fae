export interface Contender<Item> {
  readonly name: string;
  run(item: Item): void;
}

export interface Times {
  readonly name: string;
  /** Milliseconds for all items, one per round. */
  readonly rounds: readonly number[];
  readonly median: number;
}

export interface Ratio {
  /** Ratio of the medians. */
  readonly median: number;
  /** Smallest and largest ratio within one round. */
  readonly min: number;
  readonly max: number;
}

export interface MeasureOptions<Item> {
  readonly contenders: readonly Contender<Item>[];
  readonly items: readonly Item[];
  readonly rounds: number;
}

const WARM_UP_ROUNDS = 2;
/** Items a contender gets before it is the next one's turn: a few milliseconds of work. */
const TURN = 200;

/** Times the contenders in short turns, so that a busy machine slows all of them alike. */
export function measureRounds<Item>(options: MeasureOptions<Item>): Times[] {
  const { contenders, rounds } = options;
  for (let round = 0; round < WARM_UP_ROUNDS; round++) measureRound(options);
  const measured = Array.from({ length: rounds }, () => measureRound(options));
  return contenders.map(({ name }, i) => {
    const own = measured.map((times) => times[i] ?? Number.NaN);
    return { name, rounds: own, median: median(own) };
  });
}

export function ratioOf(times: Times, base: Times): Ratio {
  const each = times.rounds.map((time, round) => time / (base.rounds[round] ?? Number.NaN));
  return { median: times.median / base.median, min: Math.min(...each), max: Math.max(...each) };
}

/** The time of each contender for all items. */
function measureRound<Item>({ contenders, items }: MeasureOptions<Item>): number[] {
  const times = contenders.map(() => 0);
  for (let from = 0; from < items.length; from += TURN) {
    const turn = items.slice(from, from + TURN);
    for (const [i, contender] of contenders.entries()) {
      const start = performance.now();
      for (const item of turn) contender.run(item);
      times[i] = (times[i] ?? 0) + performance.now() - start;
    }
  }
  return times;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
