/** One line of a diff: kept, taken away or added. */
interface Step {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

export interface LineDiff {
  /** Lines with a sign before each, hunks under `@@ -line +line @@`; empty when nothing changed. */
  readonly text: string;
  /** Whether changes were left out, which the last line then says. */
  readonly isCut: boolean;
}

const CONTEXT = 3;
const MAX_LINES = 200;
const MAX_CHARACTERS = 40_000;
/** Beyond so many changes the shortest way is not looked for: time grows with their square. */
const MAX_CHANGES = 400;

/** What changed from one text to another, by lines. Time is bounded for any two texts. */
export function lineDiff(before: string, after: string): LineDiff {
  const lines = hunks(steps(before.split("\n"), after.split("\n")));
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (shown.length >= MAX_LINES || characters > MAX_CHARACTERS) break;
    shown.push(line);
  }
  const left = lines.length - shown.length;
  if (left > 0) shown.push(`… ${left} more lines of changes are not shown`);
  return { text: shown.join("\n"), isCut: left > 0 };
}

function steps(before: readonly string[], after: readonly string[]): Step[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const kept = (line: string): Step => ({ sign: " ", line });
  return [
    ...before.slice(0, start).map(kept),
    ...middleSteps(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...before.slice(before.length - end).map(kept),
  ];
}

/** The shortest edit by Myers's greedy search, or everything replaced when that is long. */
function middleSteps(before: readonly string[], after: readonly string[]): Step[] {
  const trace = searchTrace(before, after);
  if (trace === undefined) {
    return [
      ...before.map((line): Step => ({ sign: "-", line })),
      ...after.map((line): Step => ({ sign: "+", line })),
    ];
  }
  const found: Step[] = [];
  let x = before.length;
  let y = after.length;
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reach = trace[changes] as Reach;
    const diagonal = x - y;
    const isDown = goesDown(reach, diagonal, changes);
    const start = isDown ? reach.at(diagonal + 1) : reach.at(diagonal - 1) + 1;
    while (x > start) {
      found.push({ sign: " ", line: before[--x] as string });
      y--;
    }
    if (changes === 0) break;
    if (isDown) found.push({ sign: "+", line: after[--y] as string });
    else found.push({ sign: "-", line: before[--x] as string });
  }
  return found.reverse();
}

/** For each number of changes, how far each diagonal was reached with one fewer. */
function searchTrace(before: readonly string[], after: readonly string[]): Reach[] | undefined {
  const trace: Reach[] = [];
  let reach = new Reach(1);
  for (let changes = 0; changes <= MAX_CHANGES; changes++) {
    trace.push(reach);
    const next = new Reach(changes + 1);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const isDown = goesDown(reach, diagonal, changes);
      let x = isDown ? reach.at(diagonal + 1) : reach.at(diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      next.set(diagonal, x);
      if (diagonal === before.length - after.length && x >= before.length) return trace;
    }
    reach = next;
  }
  return undefined;
}

function goesDown(reach: Reach, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && reach.at(diagonal - 1) < reach.at(diagonal + 1);
}

class Reach {
  readonly #middle: number;
  readonly #values: Int32Array;

  constructor(changes: number) {
    this.#middle = changes + 1;
    this.#values = new Int32Array(2 * changes + 3);
  }

  at(diagonal: number): number {
    return this.#values[this.#middle + diagonal] ?? 0;
  }

  set(diagonal: number, value: number): void {
    this.#values[this.#middle + diagonal] = value;
  }
}

/** Changes with some lines around them. */
function hunks(all: readonly Step[]): string[] {
  const isNear = new Uint8Array(all.length);
  all.forEach(({ sign }, index) => {
    if (sign !== " ") isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const lines: string[] = [];
  let before = 1;
  let after = 1;
  all.forEach(({ sign, line }, index) => {
    if (isNear[index] === 1) {
      if (isNear[index - 1] !== 1) lines.push(`@@ -${before} +${after} @@`);
      lines.push(sign + line);
    }
    if (sign !== "+") before++;
    if (sign !== "-") after++;
  });
  return lines;
}
