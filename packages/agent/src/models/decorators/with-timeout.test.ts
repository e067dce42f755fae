import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { bad, fakeModel, good } from "../../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { type ModelContext, type ModelResponse, withRetry, withTimeout } from "../../index.ts";

/** Ends when `end` is called for its time, or with the signal. */
function manualSleep() {
  const waits = new Map<number, () => void>();
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      waits.set(milliseconds, resolve);
      signal?.addEventListener("abort", () => resolve());
      if (signal?.aborted === true) resolve();
    });
  return { sleep, waits };
}

const never = () => new Promise<ModelResponse>(() => undefined);

/** As adapters do: ends as canceled with the signal, and tells its usage. */
const listening = (_: unknown, context?: ModelContext) =>
  new Promise<ModelResponse>((resolve) => {
    context?.signal?.addEventListener("abort", () =>
      resolve(bad({ code: "canceled", retryable: false })),
    );
  });

describe("withTimeout", () => {
  it("M-03 lets answers and failures through", async () => {
    const { sleep } = manualSleep();
    for (const response of [good, bad()]) {
      const model = withTimeout(fakeModel(response), { timeoutMs: 9, sleep });
      expect(await model.decide(modelRequest())).toEqual(response);
    }
  });

  it("M-03 leaves no listener on the signal of a long run", async () => {
    const { signal } = new AbortController();
    const model = withRetry(withTimeout(fakeModel(bad(), good), { timeoutMs: 60_000 }), {
      baseDelayMs: 1,
    });
    for (let round = 0; round < 20; round++) await model.decide(modelRequest(), { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("M-03 ends a model that listens, with its usage", async () => {
    const { sleep, waits } = manualSleep();
    const model = withTimeout(fakeModel(listening), { timeoutMs: 2000, sleep });
    const response = model.decide(modelRequest());
    waits.get(2000)?.();
    expect(await response).toMatchObject({
      ok: false,
      error: { code: "timed-out", retryable: true, message: expect.stringContaining("2 s") },
      usage: { inputTokens: 10 },
    });
  });

  it("M-03 ends also a model that does not listen", async () => {
    const sleep = async () => undefined;
    const model = withTimeout(fakeModel(never), { timeoutMs: 2000, sleep });
    expect(await model.decide(modelRequest())).toMatchObject({
      ok: false,
      error: { code: "timed-out" },
      usage: { calls: 1 },
    });
  });

  it.each([listening, never])("M-03 the signal of the caller is not a timeout", async (answer) => {
    const stop = new AbortController();
    const { sleep, waits } = manualSleep();
    const model = withTimeout(fakeModel(answer), { timeoutMs: 2000, sleep });
    const response = model.decide(modelRequest(), { signal: stop.signal });
    stop.abort();
    await new Promise<void>((resolve) => void setImmediate(resolve));
    waits.get(100)?.();
    expect(await response).toMatchObject({ ok: false, error: { code: "canceled" } });
  });
});
