import { defined, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Model, ModelUsage } from "../model.ts";
import { knownUsage } from "../usage.ts";

/** A model that knows whether its usage includes the cost. */
export interface PricedModel extends Model {
  readonly isPriced?: boolean;
  /** Not at its provider's own address, so list prices do not apply. */
  readonly isElsewhere?: boolean;
}

/** Undefined if unknown: then its answers show it. A free model needs no price. */
export function isPriced(model: PricedModel): boolean | undefined {
  const price = priceOf(model.id);
  const isFree = price?.input === 0 && price.output === 0;
  return model.isPriced ?? (isFree ? true : undefined);
}

/** The fields of a model without `decide`, for a decorator around it. */
export function describedAs(model: PricedModel): Omit<PricedModel, "decide"> {
  const { id, protocol, contextTokens } = model;
  const { maxOutputTokens, acceptsImages, sampling, isPriced: isKnown, isElsewhere } = model;
  const others = { maxOutputTokens, acceptsImages, sampling, isPriced: isKnown, isElsewhere };
  return { id, protocol, contextTokens, ...defined(others) };
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input read from the cache. Default: `input`. */
  readonly cacheRead?: number;
  /** For input written to the cache. Default: `input`. */
  readonly cacheWrite?: number;
}

/** The first pattern that matches `provider:name` counts; `*` matches anything. */
export type Prices = readonly (readonly [pattern: string, price: Price])[];

/** List prices as of 2025. Give your own where they differ. */
const PRICES: Prices = [
  ["ollama:*", { input: 0, output: 0 }],
  ["offline:*", { input: 0, output: 0 }],
  ["mock:*", { input: 0, output: 0 }],
  ["anthropic:claude-opus-4-5*", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ["anthropic:claude-opus-4-1*", { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 }],
  ["anthropic:claude-sonnet-4-5*", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ["anthropic:claude-haiku-4-5*", { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
  ["openai:gpt-4.1-mini*", { input: 0.4, output: 1.6, cacheRead: 0.1 }],
  ["openai:gpt-4.1-nano*", { input: 0.1, output: 0.4, cacheRead: 0.025 }],
  ["openai:gpt-4.1", { input: 2, output: 8, cacheRead: 0.5 }],
  ["openai:gpt-4o-mini*", { input: 0.15, output: 0.6, cacheRead: 0.075 }],
  ["openai:gpt-4o", { input: 2.5, output: 10, cacheRead: 1.25 }],
  ["openai:gpt-5-mini*", { input: 0.25, output: 2, cacheRead: 0.025 }],
  ["openai:gpt-5-nano*", { input: 0.05, output: 0.4, cacheRead: 0.005 }],
  ["openai:gpt-5", { input: 1.25, output: 10, cacheRead: 0.125 }],
  ["gemini:gemini-2.5-flash-lite*", { input: 0.1, output: 0.4, cacheRead: 0.01 }],
  ["gemini:gemini-2.5-flash*", { input: 0.3, output: 2.5, cacheRead: 0.03 }],
];

export function priceOf(modelId: string, prices: Prices = PRICES): Price | undefined {
  return prices.find(([pattern]) => matches(pattern, modelId))?.[1];
}

/** Piece by piece rather than as a regular expression, so that no pattern takes long. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return text === first;
  let position = text.startsWith(first) ? first.length : text.length + 1;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    position = found === -1 ? text.length + 1 : found + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

export interface CostOptions {
  /** Searched before `PRICES`, which apply to models at their providers' own addresses. */
  readonly prices?: Prices;
}

const OPTIONS: OptionKinds<CostOptions> = { prices: "list" };

/**
 * Adds the cost of each decision if the price is known; otherwise a run with a cost budget is refused.
 * A cost already reported stays.
 */
export function withCost(model: PricedModel, options: CostOptions = {}): PricedModel {
  checkOptions("withCost", options, OPTIONS);
  const { prices = [] } = options;
  const listed = model.isElsewhere === true ? [] : PRICES;
  const price = priceOf(model.id, [...prices, ...listed]);
  if (price === undefined) {
    return { isPriced: false, ...describedAs(model), decide: model.decide.bind(model) };
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
