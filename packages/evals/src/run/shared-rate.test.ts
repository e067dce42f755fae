import { createOfflineModel, type Model } from "@skillwright/agent";
import { expect, it } from "vitest";
import { type RateLimit, withSharedRate } from "../index.ts";

const request = {} as Parameters<Model["decide"]>[0];
const answer = { ok: false, error: { code: "x" } } as unknown as Awaited<
  ReturnType<Model["decide"]>
>;

it("E-05 a request is sent when its turn comes, and each service has turns of its own", async () => {
  const waits = [0, 40, 0, 20];
  const taken: string[] = [];
  const rate: RateLimit = {
    async take(service) {
      taken.push(service);
      return waits.shift() ?? 0;
    },
  };
  const asked: string[] = [];
  const modelOf = (id: string, name: string): Model => ({
    ...createOfflineModel(),
    id,
    async decide() {
      asked.push(name);
      return answer;
    },
  });
  const models = [
    withSharedRate(modelOf("a", "at once"), rate),
    withSharedRate(modelOf("a", "last"), rate),
    withSharedRate(modelOf("b", "at once too"), rate),
    withSharedRate(modelOf("b", "in between"), rate, "service"),
  ];
  await Promise.all(models.map((model) => model.decide(request)));
  expect(taken).toEqual(["a", "a", "b", "service"]);
  expect(asked).toEqual(["at once", "at once too", "in between", "last"]);
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
  const decided = limited.decide(request, { signal: controller.signal, pause });
  await Promise.resolve();
  controller.abort();
  expect(await decided).toBe(answer);
  expect(pauses).toEqual(["pause", "resume"]);
});
