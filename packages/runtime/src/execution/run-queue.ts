/** Lets a number of runs go at once; the others wait in order. */
export class RunQueue {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined when the signal comes before the turn does; the work is then never started. */
  async run<Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    if (!(await this.#turn(signal))) return undefined;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    if (this.#running < this.#limit) {
      this.#running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const start = () => {
        signal?.removeEventListener("abort", stop);
        this.#running++;
        resolve(true);
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        resolve(false);
      };
      this.#waiting.push(start);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
