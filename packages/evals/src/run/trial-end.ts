/** Unless somebody says otherwise. */
export const TRIAL_TIMEOUT_MS = 120_000;

/**
 * Ends a trial at its time, or with one of the signals. Not `AbortSignal.any` with `AbortSignal.timeout`: those are held
 * weakly, which keeps them, and through their listeners the whole trial, until all memory is searched for garbage. For
 * the same reason it is a class: a getter of a literal would do that too.
 */
export class TrialEnd {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  /** When the time began to run, or to stand still. */
  #since = performance.now();
  #pauses = 0;
  #pausedMs = 0;
  #isTimedOut = false;
  #isClosed = false;

  constructor(timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) {
    this.#signals = signals.filter((signal) => signal !== undefined);
    this.#leftMs = timeoutMs;
    this.#start();
    for (const signal of this.#signals) signal.addEventListener("abort", this.#end, { once: true });
    if (this.#signals.some(({ aborted }) => aborted)) this.#end();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isTimedOut(): boolean {
    return this.#isTimedOut;
  }

  /** How long the time stood still. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#pauses > 0 ? performance.now() - this.#since : 0);
  }

  /** Until what it gives is called; of several at once, until the last. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer);
      const now = performance.now();
      this.#leftMs -= now - this.#since;
      this.#since = now;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#pauses > 0) return;
      this.#pausedMs += performance.now() - this.#since;
      this.#start();
    };
  }

  /** After the trial: nothing of it is held any longer. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#end);
  }

  #start(): void {
    this.#since = performance.now();
    if (this.#isClosed || this.signal.aborted) return;
    this.#timer = setTimeout(this.#timeOut, Math.max(0, this.#leftMs));
    // One that was forgotten does not keep the process from ending.
    this.#timer.unref();
  }

  readonly #end = () => {
    this.#controller.abort(this.#signals.find(({ aborted }) => aborted)?.reason);
  };

  readonly #timeOut = () => {
    this.#isTimedOut = true;
    this.#controller.abort(new DOMException("The trial took longer than it may", "TimeoutError"));
  };
}
