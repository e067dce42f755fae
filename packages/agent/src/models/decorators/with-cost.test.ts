import { expect, it } from "vitest";
import { bad, fakeModel, good } from "../../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { type Model, withCost, withRateLimit, withRetry, withTimeout } from "../../index.ts";
import { priceOf } from "../../internal/index.ts";
import { addUsage, costOf, isPriced } from "../index.ts";

const usage = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cacheReadTokens: 400_000,
  cacheWriteTokens: 100_000,
  calls: 1,
};

it("M-04 each kind of token has its price", () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  expect(costOf(usage, price)).toBeCloseTo(1.5 + 0.12 + 0.375 + 1.5, 10);
  expect(costOf(usage, { input: 1, output: 0 })).toBeCloseTo(1, 10);
});

it("M-04 answers and failures both have a cost, and retries add up", async () => {
  const prices = [["openai:gpt-4o", { input: 1_000_000, output: 0 }]] as const;
  const sleep = async () => undefined;
  const model = withRetry(withCost(fakeModel(bad(), good), { prices }), { sleep });
  expect(await model.decide(modelRequest())).toMatchObject({ usage: { cost: 20, calls: 2 } });
});

it("M-04 a cost that is known stays, and a model without price has none", async () => {
  const known = fakeModel({ ...good, usage: { ...good.usage, cost: 7 } });
  expect(await withCost(known).decide(modelRequest())).toMatchObject({ usage: { cost: 7 } });
  const unknown = { ...fakeModel(good), id: "openai-compatible:gpt-4o" };
  expect((await withCost(unknown).decide(modelRequest())).usage).not.toHaveProperty("cost");
  expect(addUsage(good.usage, good.usage)).not.toHaveProperty("cost");
});

it("M-04 A-04 a model knows whether it has a price, also behind decorators", () => {
  const around = (model: Model) =>
    withRateLimit(withRetry(withTimeout(withCost(model), { timeoutMs: 1000 })), {
      requestsPerMinute: 10,
    });
  expect(isPriced(around(fakeModel(good)))).toBe(true);
  expect(isPriced(around({ ...fakeModel(good), id: "openai-compatible:x" }))).toBe(false);
  expect(isPriced({ ...fakeModel(good), id: "openai-compatible:x" })).toBeUndefined();
  expect(isPriced({ ...fakeModel(good), id: "ollama:x" })).toBe(true);
});

it("M-04 A-04 an answer without usage costs what it is estimated to", async () => {
  const silent = { ...good.usage, inputTokens: 0, outputTokens: 0 };
  const prices = [["openai:gpt-4o", { input: 1_000_000, output: 1_000_000 }]] as const;
  const model = withCost(fakeModel({ ...good, usage: silent }), { prices });
  const { usage: counted } = await model.decide(modelRequest());
  expect(counted.inputTokens).toBeGreaterThan(0);
  expect(counted.cost).toBeCloseTo(counted.inputTokens + counted.outputTokens, 6);
});

it.each([
  ["anthropic:claude-sonnet-4-5-20250929", 3],
  ["anthropic:claude-haiku-4-5", 1],
  ["openai:gpt-4o-mini-2024-07-18", 0.15],
  ["openai:gpt-4.1", 2],
  ["ollama:qwen3:8b", 0],
  ["openai:gpt-4o-audio-preview", undefined],
  ["anthropic:claude-next", undefined],
  ["", undefined],
])("M-04 the input of %s costs %s", (id, input) => {
  expect(priceOf(id)?.input).toBe(input);
});

it("M-04 patterns match the whole id, and the first one counts", () => {
  const price = { input: 1, output: 1 };
  const matches = (pattern: string, id: string) => priceOf(id, [[pattern, price]]) === price;
  expect(matches("a*b*c", "a-b-c")).toBe(true);
  expect(matches("a*b*c", "a-c-b")).toBe(false);
  expect(matches("ab*ba", "aba")).toBe(false);
  expect(matches("*", "anything")).toBe(true);
  expect(matches("a", "ab")).toBe(false);
});
