import { setTimeout } from "node:timers/promises";
import type { Model, ModelContext } from "@skillwright/agent";
import type { RateLimit } from "./ports.ts";
import { pauseTrial } from "./trial-end.ts";

interface PausingContext extends ModelContext {
  readonly pause?: () => () => void;
}

/**
 * A model whose requests wait for their turn of a limit that other processes may share. Waiting takes no time of the
 * trial, and ends at once when the trial does.
 */
export function withSharedRate(model: Model, rate: RateLimit, service = model.id): Model {
  return {
    ...model,
    async decide(request, context: PausingContext = {}) {
      const waitMs = await rate.take(service);
      const resume = context.pause?.() ?? pauseTrial(context.signal);
      try {
        const { signal } = context;
        // The model itself says that it was canceled.
        if (waitMs > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
      } finally {
        resume();
      }
      return model.decide(request, context);
    },
  };
}
