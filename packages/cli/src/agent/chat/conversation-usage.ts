import type { RunUsage } from "@skillwright/agent/internal";

export const NO_USAGE: RunUsage = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  inputTokens: 0,
  outputTokens: 0,
  modelCalls: 0,
  cost: 0,
  timeMs: 0,
};

export function sumUsage(one: RunUsage, other: RunUsage): RunUsage {
  return {
    turns: one.turns + other.turns,
    toolCalls: one.toolCalls + other.toolCalls,
    scripts: one.scripts + other.scripts,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    modelCalls: one.modelCalls + other.modelCalls,
    cost: one.cost + other.cost,
    timeMs: one.timeMs + other.timeMs,
  };
}
