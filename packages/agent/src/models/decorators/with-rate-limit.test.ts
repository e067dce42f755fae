import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { fakeModel, good } from "../../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { type ModelResponse, withRateLimit } from "../../index.ts";

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** A clock that only sleeping moves. */
function fakeTime() {
  let time = 0;
  const sleep = async (milliseconds: number) => {
    await settle();
    time += milliseconds;
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

  it("M-03 no more than allowed run at a time, first come, first served", async () => {
    const ends: (() => void)[] = [];
    const order: string[] = [];
    const model = fakeModel(
      (request) =>
        new Promise<ModelResponse>((resolve) => {
          order.push(request.system);
          ends.push(() => resolve(good));
        }),
    );
    const limited = withRateLimit(model, { concurrency: 2 });
    const all = ["a", "b", "c", "d", "e"].map((system) =>
      limited.decide(modelRequest([], { system })),
    );
    await settle();
    expect(order).toEqual(["a", "b"]);
    for (const expected of ["abc", "abcd", "abcde", "abcde", "abcde"]) {
      ends.shift()?.();
      await settle();
      expect(order.join("")).toBe(expected);
    }
    expect(await Promise.all(all)).toHaveLength(5);
  });

  it("M-03 a request canceled while waiting leaves at once and takes no place", async () => {
    const ends: (() => void)[] = [];
    const model = fakeModel(
      () => new Promise<ModelResponse>((resolve) => ends.push(() => resolve(good))),
    );
    const limited = withRateLimit(model, { concurrency: 1 });
    const stops = [new AbortController(), new AbortController()];
    const first = limited.decide(modelRequest());
    const canceled = stops.map(({ signal }) => limited.decide(modelRequest(), { signal }));
    const last = limited.decide(modelRequest());
    for (const stop of stops.reverse()) {
      stop.abort();
      await settle();
    }
    for (const response of canceled) {
      expect(await response).toMatchObject({ error: { code: "canceled" }, usage: { calls: 0 } });
    }
    ends.shift()?.();
    expect(await first).toMatchObject({ ok: true });
    await settle();
    ends.shift()?.();
    expect(await last).toMatchObject({ ok: true });
    expect(model.asked).toHaveLength(2);
  });

  it("M-03 a request canceled as it gets a place gives it back", async () => {
    const stop = new AbortController();
    let calls = 0;
    const clock = () => {
      calls += 1;
      // The second call is the one by which the place is taken.
      if (calls === 2) stop.abort();
      return 0;
    };
    const limited = withRateLimit(fakeModel(good), { concurrency: 1, clock });
    expect(await limited.decide(modelRequest(), { signal: stop.signal })).toMatchObject({
      error: { code: "canceled" },
    });
    const next = limited.decide(modelRequest());
    const late = new Promise<string>((resolve) => void setTimeout(resolve, 50, "stuck"));
    expect(await Promise.race([next, late])).toMatchObject({ ok: true });
  });

  it("M-03 leaves no listener on the signal of a long run", async () => {
    const { signal } = new AbortController();
    const limited = withRateLimit(fakeModel(good), { concurrency: 1, requestsPerMinute: 1000 });
    for (let round = 0; round < 20; round++) {
      await Promise.all([1, 2].map(() => limited.decide(modelRequest(), { signal })));
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("M-03 a model that throws gives its place back", async () => {
    const model = fakeModel(() => Promise.reject(new Error("bug")), good);
    const limited = withRateLimit(model, { concurrency: 1 });
    await expect(limited.decide(modelRequest())).rejects.toThrow("bug");
    expect(await limited.decide(modelRequest())).toMatchObject({ ok: true });
  });

  it.each([{ requestsPerMinute: 0 }, { concurrency: 0 }, { concurrency: Number.NaN }])(
    "M-03 refuses %j, which would wait forever",
    (options) => {
      expect(() => withRateLimit(fakeModel(good), options)).toThrow(TypeError);
    },
  );
});
