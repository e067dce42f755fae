export interface RankedId {
  readonly id: string;
  readonly score: number;
}

export interface FuseOptions {
  /** How much each ranking counts; 1 unless told. */
  readonly weights?: readonly number[];
  /** The larger, the less the first places stand out. */
  readonly smoothing?: number;
}

const SMOOTHING = 60;

/**
 * One ranking of several by reciprocal rank: places are comparable where scores are not. Ids that
 * come out equal keep the order in which they are first named.
 */
export function fuseRanks(
  rankings: readonly (readonly string[])[],
  { weights = [], smoothing = SMOOTHING }: FuseOptions = {},
): RankedId[] {
  const scores = new Map<string, number>();
  for (const [i, ranking] of rankings.entries()) {
    const weight = weights[i] ?? 1;
    for (const [place, id] of [...new Set(ranking)].entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (smoothing + place + 1));
    }
  }
  return [...scores]
    .map(([id, score]): RankedId => ({ id, score }))
    .sort((first, second) => second.score - first.score);
}
