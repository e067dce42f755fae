/**
 * The fast suite (`npm test`) takes samples where the system suite (`npm run test:system`) is exhaustive. A test
 * file that imports this module runs in both.
 */
export const isSystem = process.env["TEST_SUITE"] === "system";

const MOST_FAST_RUNS = 100;

/** How often fast-check tries a property. */
export function numRuns(count: number): number {
  return isSystem ? count : Math.min(count, MOST_FAST_RUNS);
}

/** All items in the system suite; `count` of them, evenly spread, in the fast one. */
export function sample<T>(items: readonly T[], count: number): readonly T[] {
  if (isSystem || items.length <= count) return items;
  const step = items.length / count;
  return Array.from({ length: count }, (_, i) => items[Math.floor((i + 0.5) * step)] as T);
}
