import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { fakeModel, good } from "../../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { withRateLimit } from "../../index.ts";

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** A clock that only sleeping moves. */
function fakeTime() {
  let time = 0;
  const sleep = async (milliseconds: number) => {
    const end = time + milliseconds;
    await settle();
    time = Math.max(time, end);
  };
  return { clock: () => time, sleep };
}

describe("withRateLimit", () => {
  it("M-03 no minute has more requests than allowed, and none is lost", async () => {
    const time = fakeTime();
    const starts: number[] = [];
    const model = fakeModel(async () => {
      starts.push(time.clock());
      return good;
    });
    const limited = withRateLimit(model, { requestsPerMinute: 3, ...time });
    const all = Array.from({ length: 8 }, () => limited.decide(modelRequest()));
    const responses = await Promise.all(all);
    expect(starts).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000]);
    expect(responses.at(-1)).toMatchObject({ ok: true, latencyMs: 120_005 });
  });

  it("M-03 a request canceled while waiting leaves at once and takes no turn", async () => {
    let time = 0;
    const waiting: (() => void)[] = [];
    const sleep = (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const end = time + milliseconds;
        signal?.addEventListener("abort", () => resolve(), { once: true });
        waiting.push(() => {
          if (time >= end) resolve();
        });
      });
    const order: string[] = [];
    const model = fakeModel(async ({ system }) => {
      order.push(`${system}${time}`);
      return good;
    });
    const limited = withRateLimit(model, { requestsPerMinute: 1, clock: () => time, sleep });
    const ask = (system: string, signal?: AbortSignal) =>
      limited.decide(modelRequest([], { system }), signal && { signal });
    const stop = new AbortController();
    const first = ask("a");
    const canceled = ask("b", stop.signal);
    await settle();
    stop.abort();
    expect(await canceled).toMatchObject({ error: { code: "canceled" }, usage: { calls: 0 } });
    const last = ask("c");
    time = 60_000;
    for (const wake of waiting) wake();
    expect(await Promise.all([first, last])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(order).toEqual(["a0", "c60000"]);
    const late = await limited.decide(modelRequest(), { signal: AbortSignal.abort() });
    expect(late).toMatchObject({ error: { code: "canceled" } });
    expect(model.asked).toHaveLength(2);
  });

  it("M-03 leaves no listener on the signal of a long run", async () => {
    const { signal } = new AbortController();
    const limited = withRateLimit(fakeModel(good), { requestsPerMinute: 20, ...fakeTime() });
    for (let round = 0; round < 20; round++) {
      await Promise.all([1, 2].map(() => limited.decide(modelRequest(), { signal })));
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.each([0, Number.NaN])("M-03 refuses %s, which would wait forever", (requestsPerMinute) => {
    expect(() => withRateLimit(fakeModel(good), { requestsPerMinute })).toThrow(
      /at least one request|"requestsPerMinute" must be a number, got NaN/,
    );
  });
});
