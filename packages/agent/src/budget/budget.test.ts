import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fullBudget } from "../runs/full-budget.ts";
import {
  type Budget,
  DEFAULT_BUDGET,
  describePart,
  nearEnd,
  slice,
  tightened,
  usedUp,
} from "./budget.ts";
import { NO_USAGE, sumUsage } from "./run-usage.ts";
import { requireBudget } from "./require-budget.ts";

const plan = (constraints: { max_turns?: number; max_scripts?: number }) => ({
  goal: "",
  steps: [],
  assumptions: [],
  constraints,
});

describe("budget", () => {
  it("A-04 has the limits of the founding document", () => {
    expect(DEFAULT_BUDGET).toMatchObject({
      turns: 12,
      toolCalls: 30,
      scripts: 10,
      tokens: 200_000,
      timeMs: 600_000,
    });
  });

  it.each([
    [{ turns: 12 }, "12 turns"],
    [{ inputTokens: 150_000, outputTokens: 50_000 }, "200,000 tokens"],
    [{ cost: 2 }, "$2"],
    [{ timeMs: 600_000 }, "600 seconds"],
  ])("A-04 %j: what is used up is %s", (used, expected) => {
    const budget = { ...DEFAULT_BUDGET, cost: 2 };
    const part = usedUp(budget, { ...NO_USAGE, ...used });
    expect(part && describePart(budget, part)).toBe(expected);
  });

  it("A-04 tool calls and scripts that are used up leave turns to answer in", () => {
    const usage = { ...NO_USAGE, turns: 11, toolCalls: 99, scripts: 99 };
    expect(usedUp(DEFAULT_BUDGET, usage)).toBeUndefined();
  });

  it("A-04 one of a kind is said so", () => {
    const budget = { ...DEFAULT_BUDGET, turns: 1, toolCalls: 0 };
    expect(describePart(budget, "turns")).toBe("1 turn");
    expect(describePart(budget, "toolCalls")).toBe("0 tool calls");
  });

  it.each([
    [{ turns: 11 }, "turns"],
    [{ turns: 10 }, undefined],
    [{ toolCalls: 30 }, "toolCalls"],
    [{ inputTokens: 180_000 }, "tokens"],
    [{ cost: 1.8 }, "cost"],
    [{ timeMs: 540_000 }, "timeMs"],
  ])("A-04 %j: what is nearly used up is %s", (used, expected) => {
    expect(nearEnd({ ...DEFAULT_BUDGET, cost: 2 }, { ...NO_USAGE, ...used })).toBe(expected);
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
    const last = { ...NO_USAGE, turns: 12 };
    expect(tightened(DEFAULT_BUDGET, plan({ max_turns: 1 }), last).turns).toBe(12);
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
