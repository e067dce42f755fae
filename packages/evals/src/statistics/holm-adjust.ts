/** Holm's correction for many tests; in the order given. */
export function holmAdjust(probabilities: readonly number[]): number[] {
  const count = probabilities.length;
  const order = probabilities.map((_, i) => i);
  order.sort((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0) || a - b);
  const adjusted = probabilities.map(() => 1);
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (count - rank) * (probabilities[i] ?? 1)));
    adjusted[i] = largest;
  }
  return adjusted;
}
