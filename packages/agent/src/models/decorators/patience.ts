import { setTimeout } from "node:timers/promises";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Model, ModelError, ModelResponse } from "../model.ts";
import { addUsage, CANCELED, failed, NO_USAGE } from "../usage.ts";
import { describedAs } from "./prices.ts";

/** Waits, or ends early with the signal. Does not reject. */
type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const MAX_TIMER = 2 ** 31 - 1;

const realSleep: Sleep = (milliseconds, signal) =>
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

const RETRY: OptionKinds<RetryOptions> = {
  attempts: "number",
  baseDelayMs: "number",
  maxDelayMs: "number",
  random: "function",
  sleep: "function",
};

/**
 * Asks again after failures that may pass. Usage and time add up over all attempts. `onText` and
 * `onCallText` receive what streams in each attempt, from its beginning.
 */
export function withRetry(model: Model, options: RetryOptions = {}): Model {
  checkOptions("withRetry", options, RETRY);
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
        const resume = context?.pause?.();
        await sleep(delay, context?.signal);
        resume?.();
        latencyMs += delay;
        if (context?.signal?.aborted === true) return failed(CANCELED, usage, latencyMs);
      }
    },
  };
}

export interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly sleep?: Sleep;
}

/** Time for an aborted model to end by itself and report its usage. */
const GRACE_MS = 100;

const TIMEOUT: OptionKinds<TimeoutOptions> = { timeoutMs: "number", sleep: "function" };

/** Ends a decision that takes too long, even if the model ignores its signal. */
export function withTimeout(model: Model, options: TimeoutOptions): Model {
  checkOptions("withTimeout", options, TIMEOUT, ["timeoutMs"]);
  const { timeoutMs, sleep = realSleep } = options;
  return {
    ...describedAs(model),
    async decide(request, context) {
      const start = performance.now();
      const caller = context?.signal;
      const timer = new AbortController();
      const isOver = new AbortController();
      const signal = caller === undefined ? timer.signal : AbortSignal.any([caller, timer.signal]);
      const waitForEnd = async (): Promise<ModelResponse> => {
        await sleep(timeoutMs, AbortSignal.any([isOver.signal, signal]));
        if (!isOver.signal.aborted && caller?.aborted !== true) timer.abort();
        await sleep(GRACE_MS, isOver.signal);
        // One call was made; its usage is unknown.
        return failed(CANCELED, { ...NO_USAGE, calls: 1 }, performance.now() - start);
      };
      const answer = model.decide(request, { ...context, signal });
      const response = await Promise.race([answer, waitForEnd()]).finally(() => isOver.abort());
      if (response.ok || !timer.signal.aborted) return response;
      const message = `the model took longer than ${timeoutMs / 1000} s`;
      return { ...response, error: { code: "timed-out", message, retryable: true } };
    },
  };
}

export interface RateLimitOptions {
  /** In any minute. */
  readonly requestsPerMinute: number;
  readonly clock?: () => number;
  readonly sleep?: Sleep;
}

const MINUTE = 60_000;

const RATE_LIMIT: OptionKinds<RateLimitOptions> = {
  requestsPerMinute: "number",
  clock: "function",
  sleep: "function",
};

/** Makes requests wait for their turn, first come, first served. */
export function withRateLimit(model: Model, options: RateLimitOptions): Model {
  checkOptions("withRateLimit", options, RATE_LIMIT, ["requestsPerMinute"]);
  const { requestsPerMinute, clock = Date.now, sleep = realSleep } = options;
  if (!(requestsPerMinute >= 1)) {
    throw new TypeError("a rate limit must allow at least one request");
  }
  /** When requests of the last minute began, and when those that wait will. */
  const turns: { readonly at: number }[] = [];
  return {
    ...describedAs(model),
    async decide(request, context) {
      const start = clock();
      while ((turns[0]?.at ?? start) < start - MINUTE) turns.shift();
      const free = (turns.at(-requestsPerMinute)?.at ?? -Infinity) + MINUTE;
      const turn = { at: Math.max(start, turns.at(-1)?.at ?? start, free) };
      turns.push(turn);
      const isAborted = () => context?.signal?.aborted === true;
      const resume = clock() < turn.at ? context?.pause?.() : undefined;
      while (!isAborted() && clock() < turn.at) await sleep(turn.at - clock(), context?.signal);
      resume?.();
      if (isAborted()) {
        // Whoever comes later may have the turn.
        turns.splice(turns.indexOf(turn), 1);
        return failed(CANCELED, NO_USAGE, Math.max(0, clock() - start));
      }
      const waited = Math.max(0, clock() - start);
      const response = await model.decide(request, context);
      return { ...response, latencyMs: response.latencyMs + waited };
    },
  };
}
