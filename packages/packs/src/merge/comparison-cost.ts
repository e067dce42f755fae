/** About a second of comparing. */
export const MAX_COST = 300_000_000;

/** So many lines at once would not fit on the stack of the library that compares them. */
const MAX_LINES = 50_000;

/** An upper bound of the steps that comparing two lists of lines takes: many equal lines are dear. */
export function comparisonCost(before: readonly string[], after: readonly string[]): number {
  if (before.length > MAX_LINES || after.length > MAX_LINES) return Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const line of after) counts.set(line, (counts.get(line) ?? 0) + 1);
  let matches = 0;
  for (const line of before) matches += counts.get(line) ?? 0;
  return matches * Math.min(before.length, after.length);
}
