interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

export type Locator = (offset: number) => Position;

/** Turns offsets into lines and columns; line starts are found as far as they are asked for. */
export function createLocator(text: string): Locator {
  const starts = [0];
  let searched = 0;
  return (offset) => {
    while (searched <= offset && searched !== -1) {
      const newline = text.indexOf("\n", searched);
      searched = newline === -1 ? -1 : newline + 1;
      if (searched === -1) break;
      starts.push(searched);
    }
    if (searched === -1) searched = text.length + 1;
    const line = lastAtOrBefore(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
