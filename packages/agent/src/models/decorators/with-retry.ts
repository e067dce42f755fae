import { setTimeout } from "node:timers/promises";
import type { Model, ModelError } from "../model.ts";
import { addUsage, CANCELED, NO_USAGE } from "../usage.ts";
import { describedAs } from "./prices.ts";

/** Waits, or ends early with the signal. Does not reject. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const MAX_TIMER = 2 ** 31 - 1;

export const realSleep: Sleep = (milliseconds, signal) =>
  setTimeout(Math.min(milliseconds, MAX_TIMER), undefined, { signal }).catch(() => undefined);

export interface RetryOptions {
  /** Including the first one. Default 4. */
  readonly attempts?: number;
  /** Before the second attempt; doubles with each. Default 1 s. */
  readonly baseDelayMs?: number;
  /** The longest wait. A service that asks for more is not asked again. Default 60 s. */
  readonly maxDelayMs?: number;
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly sleep?: Sleep;
}

/**
 * Asks again after failures that may pass. Usage and time add up over all attempts. `onText` and
 * `onCallText` receive what streams in each attempt, from its beginning.
 */
export function withRetry(model: Model, options: RetryOptions = {}): Model {
  const { attempts = 4, baseDelayMs = 1000, maxDelayMs = 60_000 } = options;
  const { random = Math.random, sleep = realSleep } = options;

  /** Undefined: do not ask again. Half of the wait is random, so that clients spread out. */
  function delayOf({ retryable, retryAfterMs = 0 }: ModelError, attempt: number) {
    if (!retryable || attempt >= attempts || retryAfterMs > maxDelayMs) return undefined;
    const step = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
    const delay = Math.round(step / 2 + (step / 2) * random());
    return Math.min(maxDelayMs, Math.max(retryAfterMs, delay));
  }

  return {
    ...describedAs(model),
    async decide(request, context) {
      let usage = NO_USAGE;
      let latencyMs = 0;
      for (let attempt = 1; ; attempt++) {
        const response = await model.decide(request, context);
        usage = addUsage(usage, response.usage);
        latencyMs += response.latencyMs;
        const delay = response.ok ? undefined : delayOf(response.error, attempt);
        if (delay === undefined) return { ...response, usage, latencyMs };
        await sleep(delay, context?.signal);
        latencyMs += delay;
        if (context?.signal?.aborted === true) {
          return { ok: false, error: CANCELED, usage, latencyMs };
        }
      }
    },
  };
}
