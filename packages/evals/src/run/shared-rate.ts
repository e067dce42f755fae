import { setTimeout } from "node:timers/promises";
import type { Model } from "@skillwright/agent";
import type { RateLimit } from "./ports.ts";

/**
 * A model whose requests wait for their turn of a limit that other processes may share. Waiting takes no time of the
 * trial, and ends at once when the trial does.
 */
export function withSharedRate(model: Model, rate: RateLimit, service = model.id): Model {
  return {
    ...model,
    async decide(request, context) {
      const waitMs = await rate.take(service);
      const resume = waitMs > 0 ? context?.pause?.() : undefined;
      // The model itself says that it was canceled.
      if (waitMs > 0) await wait(waitMs, context?.signal);
      resume?.();
      return model.decide(request, context);
    },
  };
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return setTimeout(milliseconds, undefined, signal && { signal }).catch(() => undefined);
}
