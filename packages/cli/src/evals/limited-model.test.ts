import type { Model, ModelContext } from "@skillwright/agent";
import { compareArms, type EvalCase, type Judge, type TrialResult } from "@skillwright/evals";
import { afterEach, expect, it, vi } from "vitest";
import { bareTrial } from "../../../../test/support/example-results.ts";
import { bad, fakeModel, good } from "../../../../test/support/model-server/fake-model.ts";
import { modelRequest } from "../../../../test/support/model-server/model-request.ts";
import { limitedModel } from "./index.ts";

const CASE: EvalCase = {
  id: "a",
  title: "a",
  input: "go",
  files: [],
  expected: { sequence: [], output: [], statements: ["so"] },
  constraints: { forbiddenTools: [], requiredTools: [] },
  timeoutMs: 5000,
  tags: [],
  origin: { file: "/a.yaml", line: 1, dialect: "skillwright" },
};

const TRIALS: TrialResult[] = [
  bareTrial("a", { answer: "x" }),
  bareTrial("a", { arm: "without_skill", answer: "y" }),
];

/** Asks the model and has no opinion. */
function judgeBy(model: Model): Judge {
  return {
    id: "j",
    judge: () => Promise.reject(new Error("not asked")),
    async prefer({ signal }) {
      const { ok } = await model.decide(modelRequest(), signal === undefined ? {} : { signal });
      if (!ok) return { ok, code: "judge-failed", message: "" };
      return { ok, winner: "tie", evidence: "e" };
    },
  };
}

const compare = (model: Model) =>
  compareArms({
    cases: [CASE],
    arms: ["with_skill", "without_skill"],
    trials: TRIALS,
    judge: judgeBy(model),
  });

afterEach(() => void vi.useRealTimers());

it("E-03 who waits for a turn loses no time, who is asked does", async () => {
  vi.useFakeTimers();
  let now = 0;
  const sleep = async () => {
    // Longer than the case may take.
    await vi.advanceTimersByTimeAsync(60_000);
    now += 60_000;
  };
  const limit = { requestsPerMinute: 1, clock: () => now, sleep };
  expect(await compare(limitedModel(fakeModel(good), limit))).toMatchObject([{ winner: "tie" }]);
  expect(now).toBe(60_000);
  const slow = fakeModel(async (_, context) => {
    await vi.advanceTimersByTimeAsync(60_000);
    return context?.signal?.aborted === true ? bad() : good;
  });
  expect(await compare(limitedModel(slow, limit))).toMatchObject([
    { error: { code: "timed-out" } },
  ]);
});

it("E-03 the model gets what it was given, and nothing else", async () => {
  const contexts: (ModelContext | undefined)[] = [];
  const model: Model = {
    ...fakeModel(good),
    async decide(_, context) {
      contexts.push(context);
      return good;
    },
  };
  const { signal } = new AbortController();
  const limited = limitedModel(model, { requestsPerMinute: 5 });
  await limited.decide(modelRequest(), { signal });
  expect([limited.id, contexts]).toEqual([model.id, [{ signal }]]);
});
