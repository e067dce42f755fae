import { estimateTokens, knownTokens } from "@skillwright/core";
import { CANCELED } from "../canceled.ts";
import type { Model, ModelError, ModelRequest, ModelResponse, ModelUsage } from "../model.ts";

/** A decision as plain data, or text that is given as it is. */
export type JsonAnswer =
  | { readonly ok: true; readonly answer: unknown }
  | { readonly ok: false; readonly error: ModelError };

const CONTEXT_TOKENS = 1_000_000;

/** A model that is a function: it answers in the `json` protocol and counts what a service would. */
export function jsonModel(
  id: string,
  answer: (request: ModelRequest) => JsonAnswer | Promise<JsonAnswer>,
): Model {
  return {
    id,
    protocol: "json",
    contextTokens: CONTEXT_TOKENS,
    decide: async (request, context = {}) => {
      const started = performance.now();
      if (context.signal?.aborted === true) return failed(CANCELED, request, started);
      const result = await answer(request);
      if (!result.ok) return failed(result.error, request, started);
      const text =
        typeof result.answer === "string" ? result.answer : JSON.stringify(result.answer);
      context.onText?.(text);
      return {
        ok: true,
        message: { text, calls: [] },
        finish: "stop",
        usage: usageOf(request, text),
        latencyMs: performance.now() - started,
      };
    },
  };
}

function failed(error: ModelError, request: ModelRequest, started: number): ModelResponse {
  return {
    ok: false,
    error,
    usage: usageOf(request, ""),
    latencyMs: performance.now() - started,
  };
}

function usageOf({ system, messages }: ModelRequest, answer: string): ModelUsage {
  let inputTokens = knownTokens(system);
  for (const { content } of messages) inputTokens += estimateTokens(content);
  return {
    inputTokens,
    outputTokens: estimateTokens(answer),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    calls: 1,
  };
}
