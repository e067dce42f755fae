import { type Model, type ModelContext, withRateLimit } from "@skillwright/agent";
import { pauseTrial } from "@skillwright/evals";

interface WaitingContext extends ModelContext {
  readonly onTurn?: () => void;
}

/** So many requests in a minute. Whoever waits for a turn does not lose the time that its trial has. */
export function limitedModel(model: Model, options: Parameters<typeof withRateLimit>[1]): Model {
  const turned: Model = {
    ...model,
    decide(request, { onTurn, ...context }: WaitingContext = {}) {
      onTurn?.();
      return model.decide(request, context);
    },
  };
  const limited = withRateLimit(turned, options);
  return {
    ...limited,
    async decide(request, context) {
      const goOn = pauseTrial(context?.signal);
      const waiting: WaitingContext = { ...context, onTurn: goOn };
      return limited.decide(request, waiting).finally(goOn);
    },
  };
}
