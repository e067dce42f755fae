import type { RunResult } from "@skillwright/agent";
import { describe, expect, it } from "vitest";
import { largerBudget, NO_USAGE, offerMoreBudget } from "./index.ts";

describe("a larger budget", () => {
  it.each([
    ["turns", { turns: 12 }, "--budget-turns 30", "30 turns"],
    ["turns", { turns: 100 }, "--budget-turns 200", "200 turns"],
    ["toolCalls", { toolCalls: 30 }, "--budget-tool-calls 60", "60 tool calls"],
    [
      "tokens",
      { inputTokens: 400_000, outputTokens: 1 },
      "--budget-tokens 800002",
      "800,002 tokens",
    ],
    ["cost", { cost: 0.2 }, "--budget-cost 1", "$1"],
    ["timeMs", { timeMs: 3_600_000 }, "--budget-time 120m", "120 minutes"],
  ] as const)("A-04 out of %s with %j: %s", (exhausted, used, option, shown) => {
    const usage = { ...NO_USAGE, ...used };
    expect(largerBudget({ exhausted, usage })).toMatchObject({ option, shown });
  });
});

describe("a run that used up its budget", () => {
  const exhausted = (turns: number) =>
    ({
      status: "budget_exhausted",
      exhausted: "turns",
      usage: { ...NO_USAGE, turns },
    }) as RunResult;
  const answered = { status: "answered", usage: NO_USAGE } as RunResult;

  async function offered(answers: readonly ("go-on" | "stop" | undefined)[], canAsk = true) {
    const ends = [exhausted(60), answered];
    const budgets: unknown[] = [];
    const left = [...answers];
    const choose = (async () => left.shift()) as Parameters<typeof offerMoreBudget>[1]["choose"];
    const result = await offerMoreBudget(exhausted(30), { canAsk, choose }, async (_, budget) => {
      budgets.push(budget);
      return ends.shift() ?? answered;
    });
    return { status: result.status, budgets, unasked: left.length };
  }

  it("A-04 goes on as often as a person wants", async () => {
    expect(await offered(["go-on", "go-on", "go-on"])).toEqual({
      status: "answered",
      budgets: [{ turns: 60 }, { turns: 120 }],
      unasked: 1,
    });
  });

  it.each([["stop"], [undefined]] as const)("A-04 ends when the answer is %s", async (answer) => {
    expect(await offered([answer])).toMatchObject({ status: "budget_exhausted", budgets: [] });
  });

  it("A-04 asks nobody where there is no terminal", async () => {
    expect(await offered(["go-on"], false)).toMatchObject({ budgets: [], unasked: 1 });
  });
});
