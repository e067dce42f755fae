/** The candidates that `name` was most likely meant to be, nearest first; ties keep their order. */
export function nearNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = fold(name);
  const allowed = Math.max(1, Math.floor(wanted.length / 4));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (Math.abs(folded.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, folded, allowed);
    if (distance <= allowed) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, limit).map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[_\s]/g, "-").slice(0, 128);
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours, as far as there are at most `limit`
 * of them; otherwise some number above it.
 */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    row[0] = i;
    let smallest = i;
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    for (let j = from; j <= to; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row[j] = best;
      if (best < smallest) smallest = best;
    }
    if (smallest > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

/** Outside of the band that is looked at, the distance is more than anyone asks for. */
function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
