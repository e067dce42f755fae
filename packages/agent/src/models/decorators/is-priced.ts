import type { Model } from "../model.ts";
import { priceOf } from "./prices.ts";

/** A model of which it is known whether its usage says what it costs. */
export interface PricedModel extends Model {
  readonly isPriced?: boolean;
  /** It is not at its provider's own address, so that list prices do not hold. */
  readonly isElsewhere?: boolean;
}

/** Undefined when nobody has said so: then its answers show it. What is free needs no price. */
export function isPriced(model: PricedModel): boolean | undefined {
  const price = priceOf(model.id);
  const isFree = price?.input === 0 && price.output === 0;
  return model.isPriced ?? (isFree ? true : undefined);
}

/** What a model is, without what it does: for one that is put around it. */
export function describedAs(model: PricedModel): Omit<PricedModel, "decide"> {
  const { id, protocol, contextTokens, isPriced: priced, isElsewhere } = model;
  return {
    id,
    protocol,
    contextTokens,
    ...(priced !== undefined && { isPriced: priced }),
    ...(isElsewhere !== undefined && { isElsewhere }),
  };
}
