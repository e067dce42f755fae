import { estimateTokens } from "@skillwright/core";
import type { ModelRequest, ModelResponse, ModelUsage } from "../model.ts";

/**
 * What an answer used up, as the service says; where it says nothing, as estimated. No field tells
 * the two apart: a budget must hold for both.
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
