import { describe, expect, it } from "vitest";
import { bad, fakeModel, good } from "../../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { withRetry } from "../../index.ts";
import type { RetryOptions } from "../../internal/index.ts";

async function retried(model: ReturnType<typeof fakeModel>, options: RetryOptions = {}) {
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const decorated = withRetry(model, { random: () => 0.5, sleep, ...options });
  const response = await decorated.decide(modelRequest());
  return { response, waits, count: model.asked.length };
}

describe("withRetry", () => {
  it("M-03 asks again, waits longer each time, and adds up usage and time", async () => {
    const { response, waits } = await retried(fakeModel(bad(), bad(), good));
    expect(waits).toEqual([750, 1500]);
    expect(response).toMatchObject({
      ok: true,
      usage: {
        inputTokens: 30,
        outputTokens: 6,
        cacheReadTokens: 12,
        cacheWriteTokens: 3,
        calls: 3,
      },
      latencyMs: 15 + 750 + 1500,
    });
  });

  it("M-03 gives up after the last attempt, with the usage of all", async () => {
    const { response, count } = await retried(fakeModel(bad()), { attempts: 3 });
    expect(count).toBe(3);
    expect(response).toMatchObject({
      ok: false,
      error: { code: "overloaded" },
      usage: { calls: 3 },
    });
  });

  it("M-03 does not ask again where a retry cannot help", async () => {
    expect((await retried(fakeModel(bad({ retryable: false })))).count).toBe(1);
    expect((await retried(fakeModel(good))).count).toBe(1);
  });

  it("M-03 waits as long as the service asks, up to the cap", async () => {
    const asked = await retried(fakeModel(bad({ retryAfterMs: 5000 }), good));
    expect(asked.waits).toEqual([5000]);
    const short = await retried(fakeModel(bad({ retryAfterMs: 1 }), good));
    expect(short.waits).toEqual([750]);
    const long = await retried(fakeModel(bad({ retryAfterMs: 60_001 }), good));
    expect(long).toMatchObject({ count: 1, waits: [], response: { ok: false } });
    const capped = await retried(fakeModel(bad()), { attempts: 9, maxDelayMs: 4000 });
    expect(Math.max(...capped.waits)).toBeLessThanOrEqual(4000);
  });

  it.each([0, 0.999])("M-03 half of the wait is chance (%f)", async (chance) => {
    const { waits } = await retried(fakeModel(bad(), good), { random: () => chance });
    expect(waits).toEqual([Math.round(500 + 500 * chance)]);
  });

  it("M-03 ends with the signal while it waits", async () => {
    const stop = new AbortController();
    const model = fakeModel(bad());
    const sleep = async () => stop.abort();
    const response = await withRetry(model, { sleep }).decide(modelRequest(), {
      signal: stop.signal,
    });
    expect(response).toMatchObject({ ok: false, error: { code: "canceled" }, usage: { calls: 1 } });
    expect(model.asked).toHaveLength(1);
  });
});
