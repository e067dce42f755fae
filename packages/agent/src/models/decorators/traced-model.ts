import type { Tracer } from "@skillwright/core";
import { type SpanAttributes, traced } from "@skillwright/core/internal";
import type { Model, ModelResponse } from "../model.ts";
import { describedAs } from "./prices.ts";

/** A span for every call, by the GenAI semantic conventions: what was asked and answered is not in it. */
export function tracedModel(model: Model, tracer: Tracer | undefined): Model {
  if (tracer === undefined) return model;
  const [provider = "", ...name] = model.id.split(":");
  const id = name.join(":") || provider;
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": id,
  };
  return {
    ...describedAs(model),
    decide: (request, context) =>
      traced(tracer, { name: `chat ${id}`, isClient: true, attributes, factsOf, failureOf }, () =>
        model.decide(request, context),
      ),
  };
}

function factsOf(response: ModelResponse): SpanAttributes {
  const { inputTokens, outputTokens } = response.usage;
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(response.ok && { "gen_ai.response.finish_reasons": [response.finish] }),
  };
}

function failureOf(response: ModelResponse): string | undefined {
  return response.ok ? undefined : response.error.code;
}
