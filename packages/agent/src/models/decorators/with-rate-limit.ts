import type { Model } from "../model.ts";
import { CANCELED, NO_USAGE } from "../usage.ts";
import { describedAs } from "./prices.ts";
import { realSleep, type Sleep } from "./with-retry.ts";

export interface RateLimitOptions {
  /** In any minute. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** At a time. Default: no limit. */
  readonly concurrency?: number;
  readonly clock?: () => number;
  readonly sleep?: Sleep;
}

const MINUTE = 60_000;

/** Makes requests wait for their turn, first come, first served. */
export function withRateLimit(model: Model, options: RateLimitOptions): Model {
  const { requestsPerMinute = Infinity, concurrency = Infinity } = options;
  const { clock = Date.now, sleep = realSleep } = options;
  if (!(requestsPerMinute >= 1) || !(concurrency >= 1)) {
    throw new TypeError("a rate limit must allow at least one request");
  }
  const starts: number[] = [];
  let running = 0;
  /** The end of the queue: everyone waits for the one before, so only one waits for a place. */
  let queue: Promise<void> = Promise.resolve();
  let wake: () => void = () => undefined;

  function leavePlace(): void {
    running -= 1;
    wake();
  }

  async function takePlace(signal: AbortSignal | undefined): Promise<boolean> {
    const isAborted = () => signal?.aborted === true;
    while (!isAborted()) {
      const now = clock();
      while ((starts[0] ?? Infinity) <= now - MINUTE) starts.shift();
      const isFull = running >= concurrency;
      if (!isFull && starts.length < requestsPerMinute) {
        running += 1;
        if (requestsPerMinute !== Infinity) starts.push(now);
        return true;
      }
      if (isFull) await untilAborted(new Promise<void>((resolve) => (wake = resolve)), signal);
      else await sleep((starts[0] ?? now) + MINUTE - now, signal);
    }
    return false;
  }

  return {
    ...describedAs(model),
    async decide(request, context) {
      const start = clock();
      const place = queue.then(() => takePlace(context?.signal));
      queue = place.then(() => undefined);
      const hasPlace = await untilAborted(place, context?.signal);
      const waited = Math.max(0, clock() - start);
      if (hasPlace !== true) {
        // It may still get a place that it no longer needs.
        void place.then((isLate) => isLate && leavePlace());
        return { ok: false, error: CANCELED, usage: NO_USAGE, latencyMs: waited };
      }
      try {
        const response = await model.decide(request, context);
        return { ...response, latencyMs: response.latencyMs + waited };
      } finally {
        leavePlace();
      }
    },
  };
}

/**
 * The value of the promise, or undefined as soon as the signal aborts. Leaves no listener behind: the
 * signal of a run outlives many decisions.
 */
async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  if (signal === undefined) return promise;
  let end: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
