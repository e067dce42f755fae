/** One row for each pattern: at which steps it matches. */
export type MatchTable = readonly (readonly boolean[])[];

const NONE = -1;

/**
 * The longest alignment of patterns with steps, both in their order. `gaps[i]` is how far pattern
 * `i + 1` may be from pattern `i` when both are aligned. Gives the step of each pattern, or -1. Time and
 * memory grow with patterns times steps.
 */
export function alignPatterns(table: MatchTable, gaps: readonly number[]): readonly number[] {
  const steps = table[0]?.length ?? 0;
  return new Alignment(table, gaps, steps).steps();
}

class Alignment {
  readonly #table: MatchTable;
  readonly #gaps: readonly number[];
  readonly #width: number;
  /** By cell, which is pattern times width plus step: how many are aligned when it is the last. */
  readonly #best: Int32Array;
  /** The cell before it. */
  readonly #back: Int32Array;
  /** By step: the best cell up to it, of the patterns before the one before. */
  readonly #skipped: Int32Array;

  constructor(table: MatchTable, gaps: readonly number[], width: number) {
    this.#table = table;
    this.#gaps = gaps;
    this.#width = width;
    this.#best = new Int32Array(table.length * width);
    this.#back = new Int32Array(table.length * width).fill(NONE);
    this.#skipped = new Int32Array(width).fill(NONE);
  }

  steps(): readonly number[] {
    for (let pattern = 0; pattern < this.#table.length; pattern++) {
      this.#fillRow(pattern);
      if (pattern > 0) this.#skip(pattern - 1);
    }
    const aligned = this.#table.map(() => NONE);
    for (let cell = this.#lastCell(); cell !== NONE; cell = this.#back[cell] ?? NONE) {
      aligned[Math.floor(cell / this.#width)] = cell % this.#width;
    }
    return aligned;
  }

  #fillRow(pattern: number): void {
    const row = pattern * this.#width;
    const gap = this.#gaps[pattern - 1] ?? Number.POSITIVE_INFINITY;
    // Cells of the row before that may still be the best within the gap, the best first.
    const near: number[] = [];
    let first = 0;
    for (let step = 0; step < this.#width; step++) {
      const entering = row - this.#width + step - 1;
      if (pattern > 0 && step > 0 && this.#valueOf(entering) > 0) {
        const value = this.#valueOf(entering);
        while (near.length > first && this.#valueOf(near.at(-1) ?? NONE) <= value) near.pop();
        near.push(entering);
      }
      while (near.length > first && entering + 1 - (near[first] ?? 0) > gap) first++;
      if (this.#table[pattern]?.[step] !== true) continue;
      const skipped = step > 0 ? (this.#skipped[step - 1] ?? NONE) : NONE;
      const from = this.#better(near[first] ?? NONE, skipped);
      this.#best[row + step] = this.#valueOf(from) + 1;
      this.#back[row + step] = from;
    }
  }

  #skip(pattern: number): void {
    let best = NONE;
    for (let step = 0; step < this.#width; step++) {
      const cell = pattern * this.#width + step;
      if (this.#valueOf(cell) > 0) best = this.#better(best, cell);
      this.#skipped[step] = this.#better(this.#skipped[step] ?? NONE, best);
    }
  }

  #lastCell(): number {
    let last = NONE;
    for (let cell = 0; cell < this.#best.length; cell++) {
      if (this.#valueOf(cell) > this.#valueOf(last)) last = cell;
    }
    return last;
  }

  #better(a: number, b: number): number {
    return this.#valueOf(b) > this.#valueOf(a) ? b : a;
  }

  #valueOf(cell: number): number {
    return cell === NONE ? 0 : (this.#best[cell] ?? 0);
  }
}
