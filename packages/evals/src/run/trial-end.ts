/**
 * Ends a trial at its time, or with one of the signals. Not `AbortSignal.any` with `AbortSignal.timeout`: those are held
 * weakly, which keeps them, and through their listeners the whole trial, until all memory is searched for garbage. For
 * the same reason it is a class: a getter of a literal would do that too.
 */
export class TrialEnd {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;
  #isTimedOut = false;

  constructor(timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) {
    this.#signals = signals.filter((signal) => signal !== undefined);
    this.#timer = setTimeout(this.#timeOut, timeoutMs);
    // One that was forgotten does not keep the process from ending.
    this.#timer.unref();
    for (const signal of this.#signals) signal.addEventListener("abort", this.#end, { once: true });
    if (this.#signals.some(({ aborted }) => aborted)) this.#end();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isTimedOut(): boolean {
    return this.#isTimedOut;
  }

  /** After the trial: nothing of it is held any longer. */
  close(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#end);
  }

  readonly #end = () => {
    this.#controller.abort(this.#signals.find(({ aborted }) => aborted)?.reason);
  };

  readonly #timeOut = () => {
    this.#isTimedOut = true;
    this.#controller.abort(new DOMException("The trial took longer than it may", "TimeoutError"));
  };
}
