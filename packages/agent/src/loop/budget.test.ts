import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Budget } from "../index.ts";
import { DEFAULT_BUDGET } from "../internal/index.ts";
import {
  describeLeft,
  describePart,
  fullBudget,
  isLow,
  nearEnd,
  NO_USAGE,
  requireBudget,
  slice,
  sumUsage,
  tightened,
  usedUp,
} from "./index.ts";

const plan = (constraints: { max_turns?: number; max_scripts?: number }) => ({
  goal: "",
  steps: [],
  assumptions: [],
  constraints,
});

describe("budget", () => {
  it("A-04 has room for real work", () => {
    expect(DEFAULT_BUDGET).toMatchObject({
      turns: 40,
      toolCalls: 100,
      scripts: 30,
      tokens: 500_000,
      timeMs: 1_800_000,
    });
  });

  it.each([
    [{ turns: 40 }, "40 turns"],
    [{ inputTokens: 450_000, outputTokens: 50_000 }, "500,000 tokens"],
    [{ cost: 2 }, "$2"],
    [{ timeMs: 1_800_000 }, "1,800 seconds"],
  ])("A-04 %j: what is used up is %s", (used, expected) => {
    const budget = { ...DEFAULT_BUDGET, cost: 2 };
    const part = usedUp(budget, { ...NO_USAGE, ...used });
    expect(part && describePart(budget, part)).toBe(expected);
  });

  it("A-04 tool calls and scripts that are used up leave turns to answer in", () => {
    const usage = { ...NO_USAGE, turns: 39, toolCalls: 999, scripts: 999 };
    expect(usedUp(DEFAULT_BUDGET, usage)).toBeUndefined();
  });

  it("A-04 one of a kind is said so", () => {
    const budget = { ...DEFAULT_BUDGET, turns: 1, toolCalls: 0 };
    expect(describePart(budget, "turns")).toBe("1 turn");
    expect(describePart(budget, "toolCalls")).toBe("0 tool calls");
  });

  it.each([
    [{ turns: 39 }, "turns"],
    [{ turns: 38 }, undefined],
    [{ toolCalls: 100 }, "toolCalls"],
    [{ inputTokens: 450_000 }, "tokens"],
    [{ cost: 1.8 }, "cost"],
    [{ timeMs: 1_620_000 }, "timeMs"],
  ])("A-04 %j: what is nearly used up is %s", (used, expected) => {
    expect(nearEnd({ ...DEFAULT_BUDGET, cost: 2 }, { ...NO_USAGE, ...used })).toBe(expected);
  });

  it.each([
    [{ turns: 29, toolCalls: 74, inputTokens: 300_000, timeMs: 1_349_999 }, false],
    [{ turns: 30 }, true],
    [{ toolCalls: 75 }, true],
    [{ inputTokens: 300_000, outputTokens: 75_000 }, true],
    [{ timeMs: 1_350_000 }, true],
  ])("A-04 %j: a quarter or less is left: %s", (used, expected) => {
    expect(isLow(DEFAULT_BUDGET, { ...NO_USAGE, ...used })).toBe(expected);
  });

  it("A-04 what is left is never less than nothing", () => {
    const usage = { ...NO_USAGE, turns: 39, toolCalls: 130, inputTokens: 499_000, timeMs: 1000 };
    expect(describeLeft(DEFAULT_BUDGET, usage)).toBe(
      "1 turn, 0 tool calls, 1,000 tokens, 1,799 seconds",
    );
  });

  it("A-04 without money, models that cost nothing still work", () => {
    const budget = { ...DEFAULT_BUDGET, cost: 0 };
    expect(usedUp(budget, NO_USAGE)).toBeUndefined();
    expect(nearEnd(budget, NO_USAGE)).toBeUndefined();
    expect(usedUp(budget, { ...NO_USAGE, cost: 0.001 })).toBe("cost");
  });

  it("A-03 a plan that binds itself to less than it has used can still answer", () => {
    const usage = { ...NO_USAGE, turns: 3 };
    expect(tightened(DEFAULT_BUDGET, plan({ max_turns: 1 }), usage).turns).toBe(4);
    const last = { ...NO_USAGE, turns: 40 };
    expect(tightened(DEFAULT_BUDGET, plan({ max_turns: 1 }), last).turns).toBe(40);
  });

  it("A-07 a child never gets more than is left, but for the turn it is for", () => {
    const amount = fc.integer({ min: 0, max: 100 });
    const used = fc.record({ turns: amount, toolCalls: amount, scripts: amount, cost: amount });
    fc.assert(
      fc.property(used, (more) => {
        const budget = { ...DEFAULT_BUDGET, cost: 50 };
        const part = slice(budget, { ...NO_USAGE, ...more });
        expect(part.turns).toBeLessThanOrEqual(Math.max(1, budget.turns - more.turns));
        for (const key of ["toolCalls", "scripts", "cost"] as const) {
          expect(part[key]).toBeLessThanOrEqual(Math.max(0, budget[key] - more[key]));
          expect(part[key]).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it.each([Number.NaN, -1, "5", null])(
    "A-04 %s is no limit, and nothing is begun with it",
    (limit) => {
      const budget = { turns: limit as number };
      expect(() => requireBudget(budget)).toThrow(/budget\.turns has to be a number/);
    },
  );

  it("A-04 no limit at all is one, and what is not given is as usual", () => {
    const budget = { turns: Infinity, cost: 0 };
    expect(() => requireBudget(budget)).not.toThrow();
    const left = { tokens: undefined } as unknown as Partial<Budget>;
    expect(fullBudget({ ...budget, ...left })).toEqual({
      ...DEFAULT_BUDGET,
      turns: Number.MAX_SAFE_INTEGER,
      cost: 0,
    });
  });

  it.each([Number.NaN, -5, Infinity, "[redacted]"])(
    "A-04 M-04 a reported usage of %s changes nothing",
    (amount) => {
      const before = { ...NO_USAGE, inputTokens: 7 };
      expect(sumUsage(before, { inputTokens: amount as number })).toEqual(before);
    },
  );
});
