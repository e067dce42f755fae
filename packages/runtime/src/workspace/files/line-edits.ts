export interface Edit {
  readonly kind: "same" | "removed" | "added";
  readonly line: string;
}

/** Texts that differ more than this are shown as one replaced by the other. */
const MAX_DIFFERENCES = 400;

/** The fewest lines to remove and add to get from one text to another (Myers' algorithm). */
export function lineEdits(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  const same = (line: string): Edit => ({ kind: "same", line });
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  return [
    ...before.slice(0, start).map(same),
    ...(shortestEdits(oldMiddle, newMiddle) ?? replaced(oldMiddle, newMiddle)),
    ...before.slice(before.length - end).map(same),
  ];
}

function replaced(before: readonly string[], after: readonly string[]): Edit[] {
  return [
    ...before.map((line): Edit => ({ kind: "removed", line })),
    ...after.map((line): Edit => ({ kind: "added", line })),
  ];
}

function shortestEdits(before: readonly string[], after: readonly string[]): Edit[] | undefined {
  const most = Math.min(before.length + after.length, MAX_DIFFERENCES);
  /** How far into `before` each diagonal got, for each number of differences. */
  const steps: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let differences = 0; differences <= most; differences++) {
    steps.push(reached);
    const next = new Map(reached);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = furthest(next, diagonal, differences);
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x++;
      }
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length)
        return traceBack(steps, before, after);
    }
    reached = next;
  }
  return undefined;
}

function furthest(reached: ReadonlyMap<number, number>, diagonal: number, limit: number): number {
  const above = reached.get(diagonal + 1) ?? 0;
  const left = (reached.get(diagonal - 1) ?? -1) + 1;
  return diagonal === -limit || (diagonal !== limit && left <= above) ? above : left;
}

function traceBack(
  steps: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let y = after.length;
  for (let differences = steps.length - 1; differences >= 0; differences--) {
    const reached = steps[differences] ?? new Map<number, number>();
    const diagonal = x - y;
    const left = reached.get(diagonal - 1) ?? -1;
    const above = reached.get(diagonal + 1) ?? 0;
    const isDown = diagonal === -differences || (diagonal !== differences && left + 1 <= above);
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const previousX = reached.get(previous) ?? 0;
    const previousY = previousX - previous;
    while (x > Math.max(previousX, 0) && y > Math.max(previousY, 0)) {
      edits.push({ kind: "same", line: before[--x] ?? "" });
      y--;
    }
    if (differences === 0) break;
    if (isDown) edits.push({ kind: "added", line: after[--y] ?? "" });
    else edits.push({ kind: "removed", line: before[--x] ?? "" });
  }
  return edits.reverse();
}
