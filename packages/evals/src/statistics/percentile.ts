/** With linear interpolation between the neighbours; undefined of nothing. */
export function percentile(values: readonly number[], share: number): number | undefined {
  return percentileOfSorted(Float64Array.from(values).sort(), share);
}

export function percentileOfSorted(sorted: ArrayLike<number>, share: number): number | undefined {
  const last = sorted.length - 1;
  if (last < 0) return undefined;
  const place = Math.min(Math.max(share, 0), 1) * last;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  return below + (above - below) * (place - Math.floor(place));
}
