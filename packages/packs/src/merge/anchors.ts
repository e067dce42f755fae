/** A line that stands in all three texts, by its index in each. */
export interface Anchor {
  readonly base: number;
  readonly local: number;
  readonly incoming: number;
}

/** Lines that each text has exactly once, as many as stand in the same order in all. */
export function anchorsOf(
  base: readonly string[],
  local: readonly string[],
  incoming: readonly string[],
): Anchor[] {
  const inLocal = uniqueLines(local);
  const inIncoming = uniqueLines(incoming);
  const common: Anchor[] = [];
  for (const [line, index] of uniqueLines(base)) {
    const [l, i] = [inLocal.get(line), inIncoming.get(line)];
    if (l !== undefined && i !== undefined) common.push({ base: index, local: l, incoming: i });
  }
  const inOrder = longestRising(common, ({ local }) => local);
  return longestRising(inOrder, ({ incoming }) => incoming);
}

/** By text, in the order they stand. */
function uniqueLines(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  lines.forEach((line, index) => {
    if (found.has(line)) repeated.add(line);
    else found.set(line, index);
  });
  for (const line of repeated) found.delete(line);
  return found;
}

/** The longest choice of items whose values rise, by patience sorting. */
function longestRising<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item[] {
  const values = items.map(valueOf);
  /** For each length, where the choice with the lowest end ends. */
  const ends: number[] = [];
  const previous: number[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const chosen: Item[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number) {
    chosen.push(items[index] as Item);
  }
  return chosen.reverse();
}
