import type { Model, ModelResponse } from "../model.ts";
import { CANCELED, NO_USAGE } from "../usage.ts";
import { describedAs } from "./prices.ts";
import { realSleep, type Sleep } from "./with-retry.ts";

export interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly sleep?: Sleep;
}

/** Time for an aborted model to end by itself and report its usage. */
const GRACE_MS = 100;

/** Ends a decision that takes too long, even if the model ignores its signal. */
export function withTimeout(model: Model, options: TimeoutOptions): Model {
  const { timeoutMs, sleep = realSleep } = options;
  return {
    ...describedAs(model),
    async decide(request, context) {
      const start = performance.now();
      const caller = context?.signal;
      const timer = new AbortController();
      const isOver = new AbortController();
      const signal = caller === undefined ? timer.signal : AbortSignal.any([caller, timer.signal]);
      const waitForEnd = async (): Promise<undefined> => {
        await sleep(timeoutMs, AbortSignal.any([isOver.signal, signal]));
        if (isOver.signal.aborted) return;
        if (caller?.aborted !== true) timer.abort();
        await sleep(GRACE_MS, isOver.signal);
      };
      const answer = model.decide(request, { ...context, signal });
      const response = await Promise.race([answer, waitForEnd()]).finally(() => isOver.abort());
      if (response?.ok === true) return response;
      const ended = response ?? unanswered(performance.now() - start);
      if (!timer.signal.aborted || ended.ok) return ended;
      const message = `the model took longer than ${timeoutMs / 1000} s`;
      return { ...ended, error: { code: "timed-out", message, retryable: true } };
    },
  };
}

/** One call was made; its usage is unknown. */
function unanswered(latencyMs: number): ModelResponse {
  return { ok: false, error: CANCELED, usage: { ...NO_USAGE, calls: 1 }, latencyMs };
}
