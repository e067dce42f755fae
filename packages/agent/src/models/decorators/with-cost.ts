import { knownUsage } from "../answer/known-usage.ts";
import type { Model, ModelUsage } from "../model.ts";
import {
  describedAs,
  type Price,
  type PricedModel,
  priceOf,
  type Prices,
  PRICES,
} from "./is-priced.ts";

export interface CostOptions {
  /** Looked at before our own list, which is for models at their providers' own addresses. */
  readonly prices?: Prices;
}

/**
 * Adds what each decision costs, when the price is known; when not, a run with a budget of money is
 * refused. A cost that is there already stays.
 */
export function withCost(model: PricedModel, { prices = [] }: CostOptions = {}): PricedModel {
  const listed = model.isElsewhere === true ? [] : PRICES;
  const price = priceOf(model.id, [...prices, ...listed]);
  if (price === undefined) {
    const decide: Model["decide"] = (request, context) => model.decide(request, context);
    return { isPriced: false, ...describedAs(model), decide };
  }
  return {
    ...describedAs(model),
    isPriced: true,
    async decide(request, context) {
      const response = await model.decide(request, context);
      const usage = response.ok ? knownUsage(request, response) : response.usage;
      return { ...response, usage: { ...usage, cost: usage.cost ?? costOf(usage, price) } };
    },
  };
}

export function costOf(usage: ModelUsage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const sum =
    fresh * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  return sum / 1_000_000;
}
