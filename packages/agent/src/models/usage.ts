import { estimateTokens } from "@skillwright/core/internal";
import type { ModelError, ModelRequest, ModelResponse, ModelUsage } from "./model.ts";

export const NO_USAGE: ModelUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  calls: 0,
};

export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    calls: a.calls + b.calls,
    ...((a.cost ?? b.cost) !== undefined && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  };
}

/** The caller no longer wants the answer. */
export const CANCELED: ModelError = {
  code: "canceled",
  message: "the request was canceled",
  retryable: false,
};

export function failed(error: ModelError, usage = NO_USAGE, latencyMs = 0): ModelResponse {
  return { ok: false, error, usage, latencyMs };
}

/**
 * The usage that the service reports, or else an estimate. No field tells the two apart: a budget must
 * hold for both.
 */
export function knownUsage(
  { system, messages, actions }: Pick<ModelRequest, "system" | "messages" | "actions">,
  { usage, message }: Pick<Extract<ModelResponse, { ok: true }>, "usage" | "message">,
): ModelUsage {
  if (usage.inputTokens > 0 || usage.outputTokens > 0) return usage;
  const sent = [system, ...messages.map(({ content }) => content), JSON.stringify(actions)];
  const calls = message.calls.length === 0 ? "" : JSON.stringify(message.calls);
  return {
    ...usage,
    inputTokens: sent.reduce((sum, text) => sum + estimateTokens(text), 0),
    outputTokens: estimateTokens(message.text) + estimateTokens(calls),
  };
}
