const MAX_SCRIPTS = 16;

/** Scripts of all clients together, each of which is a process: no more than so many at a time. */
export class ScriptPlaces {
  readonly #most: number;
  #taken = 0;

  constructor(most = MAX_SCRIPTS) {
    this.#most = most;
  }

  /** Does the work, or gives what `refuse` says when there is no place for it. */
  async run<Result>(work: () => Promise<Result>, refuse: () => Result): Promise<Result> {
    if (this.#taken >= this.#most) return refuse();
    this.#taken++;
    try {
      return await work();
    } finally {
      this.#taken--;
    }
  }
}
