import type { Budget } from "../budget/budget.ts";
import { knownUsage } from "../models/answer/known-usage.ts";
import { CANCELED } from "../models/canceled.ts";
import { isPriced } from "../models/decorators/is-priced.ts";
import type {
  Model,
  ModelContext,
  ModelError,
  ModelRequest,
  ModelResponse,
} from "../models/model.ts";
import { NO_USAGE } from "../models/usage.ts";

interface AskOptions extends ModelContext {
  readonly signal: AbortSignal;
}

/** What a model that was canceled gets to say how much it used. */
const GRACE_MS = 1000;

/** Asks a model that may not keep its contract: whatever it does, there is an answer, and in time. */
export async function askModel(
  model: Pick<Model, "decide">,
  request: ModelRequest,
  options: AskOptions,
): Promise<ModelResponse> {
  const late = lateCancel(options.signal);
  try {
    const response = await Promise.race([model.decide(request, options), late.response]);
    return isReadable(response) ? response : failed(UNREADABLE);
  } catch (error) {
    const message = error instanceof Error ? error.message : "the model failed";
    return failed({ code: "provider-failed", message, retryable: false });
  } finally {
    late.forget();
  }
}

const UNREADABLE: ModelError = {
  code: "unreadable-answer",
  message: "the model gave something that is no answer",
  retryable: false,
};

/** A response that comes some time after the signal, unless it is forgotten before. */
function lateCancel(signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  let wait = () => {};
  const response = new Promise<ModelResponse>((resolve) => {
    wait = () => (timer = setTimeout(() => resolve(failed(CANCELED)), GRACE_MS));
  });
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait);
  const forget = () => {
    signal.removeEventListener("abort", wait);
    clearTimeout(timer);
  };
  return { response, forget };
}

function failed(error: ModelError): ModelResponse {
  return { ok: false, error, usage: NO_USAGE, latencyMs: 0 };
}

/** Throws for what JSON cannot hold, since no record can. */
function isReadable(response: ModelResponse): boolean {
  const { ok, usage } = response;
  if (typeof usage !== "object") return false;
  if (!ok) return typeof response.error.message === "string";
  const { text, calls } = response.message;
  return (
    typeof text === "string" &&
    Array.isArray(calls) &&
    JSON.stringify(calls) !== undefined &&
    calls.every(({ id, name }) => typeof id === "string" && typeof name === "string")
  );
}

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
