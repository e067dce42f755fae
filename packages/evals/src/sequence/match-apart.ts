import type { MatchTable } from "./align.ts";

/**
 * Gives as many patterns as possible a step of their own, in any order. The step of each pattern, or -1.
 */
export function matchApart(table: MatchTable): readonly number[] {
  const stepOf = table.map(() => -1);
  const patternOf = new Map<number, number>();
  const places = table.map((row) => row.flatMap((matches, step) => (matches ? [step] : [])));
  for (let pattern = 0; pattern < table.length; pattern++) assign(pattern, new Set());
  return stepOf;

  /** Takes a free step, or one whose pattern can take another. Each step is tried once. */
  function assign(pattern: number, tried: Set<number>): boolean {
    const own = places[pattern] ?? [];
    const free = own.find((step) => !patternOf.has(step));
    const step =
      free ??
      own.find((step) => {
        if (tried.has(step)) return false;
        tried.add(step);
        return assign(patternOf.get(step) ?? 0, tried);
      });
    if (step === undefined) return false;
    patternOf.set(step, pattern);
    stepOf[pattern] = step;
    return true;
  }
}
