import type {
  Model,
  ModelContext,
  ModelError,
  ModelRequest,
  ModelResponse,
} from "../../../packages/agent/src/index.ts";

const USAGE = {
  inputTokens: 10,
  outputTokens: 2,
  cacheReadTokens: 4,
  cacheWriteTokens: 1,
  calls: 1,
};

export const good: ModelResponse = {
  ok: true,
  message: { text: "fine", calls: [] },
  finish: "stop",
  usage: USAGE,
  latencyMs: 5,
};

export function bad(error: Partial<ModelError> = {}): ModelResponse {
  const whole = { code: "overloaded", message: "busy", retryable: true, ...error } as const;
  return { ok: false, error: whole, usage: USAGE, latencyMs: 5 };
}

/** Answers in this order, the last one again and again; counts how often it was asked. */
export function fakeModel(
  ...answers: readonly (
    | ModelResponse
    | ((request: ModelRequest, context?: ModelContext) => Promise<ModelResponse>)
  )[]
): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    id: "openai:gpt-4o",
    protocol: "tools",
    contextTokens: 1000,
    asked,
    decide(request, context) {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? good;
      asked.push(request);
      return typeof answer === "function" ? answer(request, context) : Promise.resolve(answer);
    },
  };
}
