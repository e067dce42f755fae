import type { HostLimits } from "../host-limits.ts";

/** When a server that failed is tried again. */
export class BackOff {
  readonly #limits: Pick<HostLimits, "attempts" | "backOffMs" | "maxBackOffMs">;
  readonly #clock: () => number;
  #failures = 0;
  #notBefore = 0;
  #delay = 0;
  #steadyFrom = 0;

  constructor(limits: HostLimits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get failures(): number {
    return this.#failures;
  }

  get isOver(): boolean {
    return this.#failures >= this.#limits.attempts;
  }

  waitMs(): number {
    return Math.max(0, this.#notBefore - this.#clock());
  }

  failed(): void {
    const { backOffMs, maxBackOffMs } = this.#limits;
    const delay = Math.min(maxBackOffMs, backOffMs * 2 ** this.#failures);
    this.#failures++;
    this.#delay = delay;
    this.#notBefore = this.#clock() + delay;
  }

  connected(): void {
    this.#steadyFrom = this.#clock() + this.#delay;
  }

  /**
   * An answer proves more than a start: a server that starts and crashes has not succeeded. Nor has
   * one that answers a question or two and then crashes: it has to hold on for as long as it was
   * waited for.
   */
  succeeded(): void {
    if (this.#clock() < this.#steadyFrom) return;
    this.#failures = 0;
    this.#delay = 0;
    this.#notBefore = 0;
  }
}
