import { inTime } from "../acts/observation.ts";
import { isPriced } from "../models/decorators/prices.ts";
import type {
  CallFragment,
  Model,
  ModelContext,
  ModelError,
  ModelProtocol,
  ModelRequest,
  ModelResponse,
} from "../models/model.ts";
import { CANCELED, failed, knownUsage } from "../models/usage.ts";
import type { Budget } from "./budget.ts";

interface AskOptions extends ModelContext {
  readonly signal: AbortSignal;
  /** Within a budget of money the price of the model has to be known. */
  readonly budget?: Pick<Budget, "cost">;
}

/** How long a canceled model has to report its usage. */
const GRACE_MS = 1000;

/**
 * Asks a model that may break its contract. Always resolves, and soon after the signal. Tokens that it
 * does not report are estimated.
 */
export async function askModel(
  model: Model,
  request: ModelRequest,
  { budget = { cost: NO_LIMIT }, ...context }: AskOptions,
): Promise<ModelResponse> {
  const problem = priceProblem(model, budget);
  if (problem !== undefined) return failed(problem);
  try {
    const late = () => failed(CANCELED);
    const response = await inTime(model.decide(request, context), context.signal, GRACE_MS, late);
    if (!isReadable(response)) return failed(UNREADABLE);
    if (!response.ok) return response;
    const usage = knownUsage(request, response);
    // For a model that is neither priced nor unpriced, only the answer shows whether it reports a cost.
    if (budget.cost < NO_LIMIT && usage.cost === undefined && isPriced(model) === undefined) {
      return failed(unknownPrice(model), usage, response.latencyMs);
    }
    return { ...response, usage };
  } catch (error) {
    const message = error instanceof Error ? error.message : "the model failed";
    return failed({ code: "provider-failed", message, retryable: false });
  }
}

const UNREADABLE: ModelError = {
  code: "unreadable-answer",
  message: "the model returned something that is not a response",
  retryable: false,
};

/** Throws for values that JSON cannot hold, since no record can either. */
function isReadable(response: ModelResponse): boolean {
  if (typeof response.usage !== "object") return false;
  if (!response.ok) return typeof response.error.message === "string";
  const { text, calls } = response.message;
  return (
    typeof text === "string" &&
    Array.isArray(calls) &&
    JSON.stringify(calls) !== undefined &&
    calls.every(({ id, name }) => typeof id === "string" && typeof name === "string")
  );
}

/** In US dollars. Larger budgets, such as a child's half of no limit, count as no limit. */
const NO_LIMIT = 1_000_000_000;

/** Why a budget of money cannot be kept with this model, as far as is known without asking it. */
export function priceProblem(model: Model, { cost }: Pick<Budget, "cost">): ModelError | undefined {
  return cost < NO_LIMIT && isPriced(model) === false ? unknownPrice(model) : undefined;
}

function unknownPrice({ id }: Model): ModelError {
  return {
    code: "refused-request",
    message: `the price of ${id} is not known, so a budget of money cannot be kept`,
    retryable: false,
    hint: "Limit the tokens instead, use a model whose price is known, or give its price: model.prices in your configuration.",
  };
}

/**
 * Shows an answer while it streams: plain text as it is, the argument of `final_answer` decoded from
 * its partial JSON. Other calls and JSON decisions show nothing.
 */
export class AnswerStream {
  readonly #protocol: ModelProtocol;
  readonly #show: (text: string) => void;
  /** By index of the call; -1 is the text in the JSON protocol. */
  readonly #partial = new Map<number, { json: string; shown: number }>();

  constructor(protocol: ModelProtocol, show: (text: string) => void) {
    this.#protocol = protocol;
    this.#show = show;
  }

  addText(text: string): void {
    if (this.#protocol === "tools") this.#show(text);
    else this.#add(-1, text, IN_TEXT);
  }

  addCall({ index, name, text }: CallFragment): void {
    if (name === "final_answer") this.#add(index, text, IN_CALL);
  }

  #add(index: number, text: string, begin: RegExp): void {
    const partial = this.#partial.get(index) ?? { json: "", shown: 0 };
    partial.json += text;
    this.#partial.set(index, partial);
    const found = begin.exec(partial.json);
    if (found === null) return;
    const answer = decoded(partial.json.slice(found.index + found[0].length));
    if (answer.length <= partial.shown) return;
    this.#show(answer.slice(partial.shown));
    partial.shown = answer.length;
  }
}

const IN_CALL = /^\s*\{\s*"(?:answer|text)"\s*:\s*"/;
const IN_TEXT = /"action"\s*:\s*"final_answer"\s*,\s*"(?:answer|text)"\s*:\s*"/;
/** Complete characters and escapes, up to the closing quote or the end of what has come. */
const STRING = /^(?:[^"\\\uD800-\uDBFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|\\u[\dA-Fa-f]{4}|\\[^u])*/;

function decoded(json: string): string {
  const [text = ""] = STRING.exec(json) ?? [];
  try {
    return JSON.parse(`"${text.replaceAll("\n", String.raw`\n`)}"`) as string;
  } catch {
    return "";
  }
}
