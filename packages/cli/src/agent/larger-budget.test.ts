import { expect, it } from "vitest";
import { largerBudget, NO_USAGE } from "./index.ts";

it.each([
  ["turns", { turns: 12 }, "--budget-turns 30"],
  ["turns", { turns: 100 }, "--budget-turns 200"],
  ["toolCalls", { toolCalls: 30 }, "--budget-tool-calls 60"],
  ["tokens", { inputTokens: 400_000, outputTokens: 1 }, "--budget-tokens 800002"],
  ["cost", { cost: 0.2 }, "--budget-cost 1"],
  ["timeMs", { timeMs: 3_600_000 }, "--budget-time 120m"],
] as const)("A-04 out of %s with %j: %s", (exhausted, used, option) => {
  expect(largerBudget({ exhausted, usage: { ...NO_USAGE, ...used } })).toBe(option);
});
