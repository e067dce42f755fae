import { expect, it } from "vitest";
import { agentWorld, modelOf } from "../../../../test/support/agent-world.ts";
import { withCost } from "../index.ts";
import { replayRun } from "../runs/index.ts";

const UNKNOWN = "openai-compatible:some";
const REASON = `the price of ${UNKNOWN} is not known, so a budget of money cannot be kept`;
const answering = (id: string, usage: object = {}) =>
  modelOf(() => ({ text: "done", calls: [] }), { id, usage });

it("A-04 tokens that are not reported are estimated, so that their budget holds", async () => {
  const { run } = await agentWorld({ files: {} });
  const usage = { inputTokens: 0, outputTokens: 0 };
  const model = modelOf(
    (_, turn) => ({
      text: "",
      calls: [{ id: "a", name: "update_plan", input: { plan_update: goal(turn) } }],
    }),
    { usage },
  );
  const { result, of, records } = await run(model, { budget: { tokens: 3000 } });
  expect(result.status).toBe("budget_exhausted");
  expect(result.reason).toContain("tokens");
  expect(of("model-response")[0]?.usage.outputTokens).toBeGreaterThan(0);
  expect(await replayRun(records)).toMatchObject({ ok: true });
});

const goal = (turn: number) => ({ patch: { goal: `goal ${turn}` } });

it("A-04 money without a price is refused before the model is asked", async () => {
  const { run } = await agentWorld({ files: {} });
  const model = withCost(answering(UNKNOWN));
  const { result, requests, records } = await run(model, { budget: { cost: 1 } });
  expect(result).toMatchObject({ status: "error", reason: REASON });
  expect(requests).toEqual([]);
  expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  expect((await run(model)).result.status).toBe("answered");
});

it("A-04 a model of which nothing is known has to tell its cost with the first answer", async () => {
  const { run } = await agentWorld({ files: {} });
  const budget = { cost: 1 };
  const { result, requests, records } = await run(answering(UNKNOWN), { budget });
  expect(result).toMatchObject({ status: "model_failed", reason: REASON });
  expect(requests.length).toBe(1);
  expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  const telling = answering(UNKNOWN, { cost: 0.1 });
  expect((await run(telling, { budget })).result.status).toBe("answered");
  expect((await run(answering("ollama:some"), { budget })).result.status).toBe("answered");
});
