import type { RunResult } from "@skillwright/agent";

/** The option that gives a run more of what it ran out of. */
export function largerBudget({ exhausted, usage }: Pick<RunResult, "exhausted" | "usage">): string {
  const { turns, toolCalls, inputTokens, outputTokens, cost, timeMs } = usage;
  switch (exhausted) {
    case "toolCalls":
      return `--budget-tool-calls ${Math.max(60, 2 * toolCalls)}`;
    case "tokens":
      return `--budget-tokens ${Math.max(400_000, 2 * (inputTokens + outputTokens))}`;
    case "cost":
      return `--budget-cost ${Math.max(1, Math.ceil(2 * cost))}`;
    case "timeMs":
      return `--budget-time ${Math.max(20, Math.ceil((2 * timeMs) / 60_000))}m`;
    default:
      return `--budget-turns ${Math.max(30, 2 * turns)}`;
  }
}
