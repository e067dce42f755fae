import type { Budget } from "../budget/budget.ts";
import { knownUsage } from "../models/answer/known-usage.ts";
import { isPriced } from "../models/decorators/is-priced.ts";
import type { Model, ModelError, ModelRequest, ModelResponse } from "../models/model.ts";
import { NO_USAGE } from "../models/usage.ts";
import { askModel, type AskOptions } from "./ask-model.ts";

interface WithinOptions extends AskOptions {
  readonly budget: Pick<Budget, "cost">;
}

/** In US dollars: nobody means so much. The parts of no limit that children get are none either. */
const NO_LIMIT = 1_000_000_000;

/**
 * Asks a model so that a budget can be kept: tokens that it does not report are estimated, and where
 * money is limited it must say what it costs.
 */
export async function askWithin(
  model: Model,
  request: ModelRequest,
  { budget, ...options }: WithinOptions,
): Promise<ModelResponse> {
  const problem = priceProblem(model, budget);
  if (problem !== undefined) {
    return { ok: false, error: priceError(problem), usage: NO_USAGE, latencyMs: 0 };
  }
  const response = await askModel(model, request, options);
  if (!response.ok) return response;
  const usage = knownUsage(request, response);
  const { latencyMs } = response;
  // Only its answer shows whether a model of unknown making tells its cost.
  if (budget.cost < NO_LIMIT && usage.cost === undefined && isPriced(model) === undefined) {
    return { ok: false, error: priceError(unknownPrice(model)), usage, latencyMs };
  }
  return { ...response, usage };
}

interface PriceProblem {
  readonly reason: string;
  readonly hint: string;
}

/** Why a budget of money cannot be kept with this model, as far as it is known without asking it. */
export function priceProblem(
  model: Model,
  { cost }: Pick<Budget, "cost">,
): PriceProblem | undefined {
  return cost < NO_LIMIT && isPriced(model) === false ? unknownPrice(model) : undefined;
}

function unknownPrice({ id }: Model): PriceProblem {
  return {
    reason: `the price of ${id} is not known, so a budget of money cannot be kept`,
    hint: "Limit the tokens instead, use a model whose price is known, or give its price: model.prices in your configuration.",
  };
}

function priceError({ reason: message, hint }: PriceProblem): ModelError {
  return { code: "refused-request", message, retryable: false, hint };
}
