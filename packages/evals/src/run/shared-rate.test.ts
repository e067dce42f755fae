import { createOfflineModel, type Model } from "@skillwright/agent";
import { expect, it, onTestFinished, vi } from "vitest";
import { memoryRateLimit, withSharedRate } from "../index.ts";

const request = {} as Parameters<Model["decide"]>[0];
const answer = { ok: false, error: { code: "x" } } as unknown as Awaited<
  ReturnType<Model["decide"]>
>;

it("E-05 workers that share a limit wait for their turns, each service for its own", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const start = Date.now();
  const asked: string[] = [];
  const modelOf = (name: string): Model => ({
    ...createOfflineModel(),
    id: name,
    decide: async () => {
      asked.push(`${name} ${(Date.now() - start) / 1000}`);
      return answer;
    },
  });
  const rate = memoryRateLimit({ requestsPerMinute: 2, clock: () => Date.now() });
  const workers = [0, 1].map(() => withSharedRate(modelOf("a"), rate));
  const judge = withSharedRate(modelOf("b"), rate);
  const all = [...workers, ...workers, judge].map((model) => model.decide(request));
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(asked).toEqual(["a 0", "a 0", "b 0", "a 60", "a 60"]);
});

it("E-05 a trial that ends does not wait, and waiting is no time of a trial", async () => {
  const model: Model = { ...createOfflineModel(), decide: async () => answer };
  const limited = withSharedRate(model, { take: async () => 3_600_000 });
  const controller = new AbortController();
  const pauses: string[] = [];
  const pause = () => {
    pauses.push("pause");
    return () => void pauses.push("resume");
  };
  const decided = limited.decide(request, { signal: controller.signal, pause } as object);
  await Promise.resolve();
  controller.abort();
  expect(await decided).toBe(answer);
  expect(pauses).toEqual(["pause", "resume"]);
});
