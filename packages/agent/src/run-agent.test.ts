import { describe, expect, it } from "vitest";
import {
  action,
  agentWorld,
  APPROVED,
  callingModel,
  gatedPolicy,
  modelOf,
  pretendingExecutor,
  REFUSED,
} from "../../../test/support/agent-world.ts";
import { skillText } from "../../../test/support/skill-tree.ts";
import { createSequenceModel, type Model, runAgent } from "./index.ts";
import { applyEvent, nextStep } from "./loop/index.ts";
import { foldRecords, replayRun } from "./runs/index.ts";

const FILES = {
  "project/pdf/SKILL.md": skillText("pdf", "Reads PDF files. Use when a PDF must be read."),
  "project/pdf/references/forms.md": "# Forms\nFill them.\n",
  "project/pdf/scripts/join.py": "print('joined')\n",
  "project/csv/SKILL.md": skillText("csv", "Reads CSV files. Use when a CSV must be read."),
};
const SELECT = { action: "select_skills", skills: [{ name: "pdf" }] };
const READ = {
  action: "load_resource",
  skill: { name: "pdf" },
  relative_path: "references/forms.md",
};
const SCRIPT = { action: "run_script", skill: { name: "pdf" }, relative_path: "scripts/join.py" };
const ANSWER = { action: "final_answer", answer: "done" };
const PLAN = { replace: { goal: "read it", steps: [{ id: "1", title: "load it" }] } };

/** Never answers: always another plan. */
const restless = (usage = {}, more: Partial<Model> = {}) =>
  modelOf(
    (_, turn) => ({
      text: JSON.stringify({
        action: "update_plan",
        plan_update: { replace: { goal: `${turn}`, steps: [] } },
      }),
      calls: [],
    }),
    { usage, ...more },
  );

describe("a run", () => {
  it("A-01 A-05 selects, loads, reads and answers, and the record proves the order", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { names, result, of } = await run([{ ...SELECT, plan_update: PLAN }, READ, ANSWER]);
    const turn = ["model-request", "model-response", "action-decide"];
    expect(names).toEqual([
      "run-start",
      ...turn,
      "plan-update",
      "skill-activate",
      "action-end",
      ...turn,
      "file-read",
      "action-end",
      ...turn,
      "run-end",
    ]);
    expect(result).toMatchObject({ status: "answered", answer: "done", skills: ["pdf"], steps: 2 });
    expect(result.usage).toMatchObject({ turns: 3, toolCalls: 1, scripts: 0, modelCalls: 3 });
    expect(of("run-start")[0]?.schemaVersion).toBe(2);
  });

  it("D-12 takes a conversation: its skills, and a context of the run's own", async () => {
    const { skills } = await agentWorld({ files: FILES });
    const chat = skills.conversation({ include: ["csv"] });
    await chat.activate("csv");
    const model = createSequenceModel([
      SELECT,
      { action: "select_skills", skills: [{ name: "csv" }] },
      ANSWER,
    ]);
    const result = await runAgent({ request: "read it", skills: chat, model });
    // The run's model had not read it yet; that of the host keeps what it has.
    expect(result).toMatchObject({ status: "answered", skills: ["csv"] });
    expect(chat.active.map(({ name }) => name)).toEqual(["csv"]);
    expect(await chat.activate("csv")).toMatchObject({ alreadyActive: true });
  });

  it("D-06 a folder is listed, and counts as read", async () => {
    const { run } = await agentWorld({ files: FILES });
    const folder = { ...READ, relative_path: "references" };
    const { of } = await run([SELECT, folder, ANSWER]);
    expect(of("file-read")[0]).toMatchObject({ path: "references", ok: true });
    expect(of("action-end").at(-1)).toMatchObject({
      ok: true,
      observation: "references is a folder with these files:\nreferences/forms.md",
    });
  });

  it("A-01 M-01 native calls and JSON text give the same events", async () => {
    const { run } = await agentWorld({ files: FILES });
    const actions = [{ ...SELECT, plan_update: PLAN }, READ, ANSWER];
    const written = await run(actions);
    const called = await run(
      callingModel(actions.map(({ action: name, ...input }) => action(name, input))),
    );
    const shape = ({ records }: typeof written) =>
      records
        .filter(({ event }) => !/^(?:model-|run-)/.test(event))
        .map(({ event, data }) => [
          event,
          { ...(data as object), callId: undefined, elapsedMs: undefined },
        ]);
    expect(shape(called)).toEqual(shape(written));
  });

  it("A-10 goes on with tools when no skill fits", async () => {
    const { run, folder } = await agentWorld({ files: { "work/a.txt": "forty-two\n" } });
    const { policy } = gatedPolicy(folder);
    const { result, requests, of } = await run(
      [{ action: "use_tool", tool: "read_file", input: { path: "a.txt" } }, ANSWER],
      { policy },
    );
    expect(result).toMatchObject({ status: "answered", skills: [], steps: 1 });
    expect(of("action-end")[0]?.observation).toContain("forty-two");
    expect(requests[0]?.system).toContain("There are no skills here");
  });
});

describe("every end", () => {
  it("A-04 turns: the last one may only answer, and what was achieved is said", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result, of, requests } = await run([SELECT, READ, SELECT], { budget: { turns: 3 } });
    expect(of("model-request").map(({ mustAnswer }) => mustAnswer)).toEqual([false, false, true]);
    // The list of actions stays, so that prompt caches do; the call is rejected instead.
    expect(requests[2]?.actions).toEqual(requests[0]?.actions);
    expect(requests[2]?.messages.at(-1)?.content).toContain("last turn of the budget");
    expect(of("action-reject")[0]?.problem).toContain("only an answer counts");
    expect(result).toMatchObject({ status: "budget_exhausted", usage: { turns: 3 } });
    // Reading is not a result.
    expect(result.answer).toBe("Skills used: pdf.");
  });

  it("A-04 an answer that the budget forced is kept, and the budget is named", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result, records } = await run([SELECT, ANSWER], { budget: { turns: 2 } });
    expect(result).toMatchObject({
      status: "budget_exhausted",
      answer: "done",
      reason: "the budget of 2 turns left nothing but to answer",
      exhausted: "turns",
    });
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
    const tools = await run([ANSWER], { budget: { toolCalls: 0 } });
    expect(tools.result).toMatchObject({ status: "budget_exhausted", exhausted: "toolCalls" });
  });

  it("A-03 an answer where the plan bound itself is an answer", async () => {
    const { run } = await agentWorld({ files: FILES });
    const plan_update = { replace: { ...PLAN.replace, constraints: { max_turns: 2 } } };
    const { result, of } = await run([{ ...SELECT, plan_update }, ANSWER]);
    expect(of("model-request")[1]?.mustAnswer).toBe(true);
    expect(result).toMatchObject({ status: "answered", answer: "done" });
  });

  it.each([
    ["tokens", { tokens: 1000 }, { inputTokens: 300, outputTokens: 100 }, 4],
    ["cost", { cost: 1 }, { cost: 0.4 }, 4],
    ["tool calls", { toolCalls: 0 }, {}, 1],
  ])("A-04 %s: near the end there is one turn to answer in", async (_, budget, usage, turns) => {
    const { run } = await agentWorld({ files: FILES });
    const { result, of } = await run(restless(usage), { budget });
    expect(result.status).toBe("budget_exhausted");
    expect(of("model-request").filter(({ mustAnswer }) => mustAnswer).length).toBeLessThanOrEqual(
      1,
    );
    expect(of("model-request").length).toBeLessThanOrEqual(turns);
  });

  it("A-04 a decision made before the tokens ran low is still carried out", async () => {
    const { run } = await agentWorld({ files: FILES });
    const select = JSON.stringify(SELECT);
    const model = modelOf((_, turn) => ({ text: turn === 1 ? select : "done", calls: [] }), {
      usage: { inputTokens: 950 },
    });
    const { result, names } = await run(model, { budget: { tokens: 1000 } });
    expect(names).toContain("skill-activate");
    expect(names).not.toContain("action-reject");
    expect(result).toMatchObject({ status: "budget_exhausted", answer: "done" });
  });

  it("A-04 time: by the clock of the run", async () => {
    const { run } = await agentWorld({ files: FILES });
    let now = 0;
    const { result } = await run(restless(), {
      budget: { timeMs: 1000, turns: 100 },
      clock: () => (now += 40),
    });
    expect(result.status).toBe("budget_exhausted");
    expect(result.usage.timeMs).toBeGreaterThanOrEqual(900);
  });

  it("A-04 time: a model that takes too long is stopped, and the run is out of time", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result } = await run(waitingModel(), { budget: { timeMs: 30 } });
    expect(result).toMatchObject({
      status: "budget_exhausted",
      reason: "the budget of 0 seconds is used up",
    });
  });

  it("A-04 a model that never ends does not keep the run from ending", async () => {
    const { run } = await agentWorld({ files: FILES });
    const stuck = modelOf(() => ({ text: "", calls: [] }), { decide: () => new Promise(() => {}) });
    const { result } = await run(stuck, { budget: { timeMs: 20 } });
    expect(result.status).toBe("budget_exhausted");
  });

  it("P-02 needs_approval: the request waits; a command to continue comes from the host alone", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy, ran } = gatedPolicy(folder);
    const { result, names } = await run([SELECT, SCRIPT], { policy });
    expect(result).toMatchObject({ status: "needs_approval", skills: ["pdf"] });
    expect(result).toMatchObject({ approval: expect.stringMatching(/^[\w-]+$/) as string });
    expect(result.hint).toBeUndefined();
    expect(ran).toEqual([]);
    expect(names.slice(-3)).toEqual(["approval-request", "approval-decision", "run-end"]);
  });

  it("P-02 denied: what a person refused is told once and not asked again", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy, ran, asked } = gatedPolicy(folder, { decide: () => REFUSED });
    const { result, of } = await run([SELECT, SCRIPT, SCRIPT], { policy });
    expect(result.status).toBe("denied");
    expect(of("action-end")[1]).toMatchObject({ ok: false });
    expect(asked.length).toBe(1);
    expect(ran).toEqual([]);
  });

  it("P-02 an answer after a refusal is kept, but the run is denied", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder, { decide: () => REFUSED });
    const { result, records } = await run([SELECT, SCRIPT, ANSWER], { policy });
    expect(result).toMatchObject({
      status: "denied",
      answer: "done",
      reason: "an approval was refused",
      usage: { toolCalls: 1, scripts: 0 },
    });
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  });

  it("P-02 a model that achieves something else after a refusal has answered", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder, { decide: () => REFUSED });
    const { result } = await run([SELECT, SCRIPT, READ, ANSWER], { policy });
    expect(result).toMatchObject({ status: "answered", answer: "done" });
    const { result: selected } = await run([SELECT, SCRIPT, SELECT, ANSWER], { policy });
    expect(selected.status).toBe("denied");
  });

  it("A-04 a script that waits for an approval is not counted as run", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const waiting = await run([SELECT, SCRIPT], { policy: gatedPolicy(folder).policy });
    expect(waiting.result.usage.scripts).toBe(0);
    const allowed = gatedPolicy(folder, { decide: () => APPROVED });
    const { result } = await run([SELECT, SCRIPT, ANSWER], { policy: allowed.policy });
    expect(result.usage).toMatchObject({ scripts: 1, toolCalls: 1 });
  });

  it("X-06 what is missing ends the run as an error that says so, and can be resumed", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const missing = new AbortController();
    const { policy } = gatedPolicy(folder, {
      decide: () => {
        missing.abort({
          ok: false,
          code: "sandbox-missing",
          message: "no sandbox",
          hint: "get it",
        });
        throw new Error("no sandbox");
      },
    });
    const { result, records } = await run([SELECT, SCRIPT], { policy, signal: missing.signal });
    expect(result).toMatchObject({
      status: "error",
      reason: "no sandbox",
      hint: "get it",
      code: "sandbox-missing",
    });
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
    const state = applyEvent(foldRecords(records), {
      event: "run-resume",
      data: { reason: "person", means: {} },
    });
    expect(nextStep(state, false)).toMatchObject({
      step: "act",
      calls: [{ action: SCRIPT }],
    });
  });

  it("A-02 invalid_output: three repairs in a row, then it ends", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result, of } = await run(["{", "{", "{", "{", ANSWER]);
    expect(result).toMatchObject({
      status: "invalid_output",
      reason: "4 answers in a row could not be read",
    });
    expect(of("action-reject").length).toBe(4);
  });

  it("A-02 three repairs and then an action: it goes on, and counts anew", async () => {
    const { run } = await agentWorld({ files: FILES });
    const bad = ["{", "{", "{"];
    const { result } = await run([...bad, SELECT, ...bad, ANSWER]);
    expect(result.status).toBe("answered");
  });

  it.each([150, 3000])(
    "A-02 a call nested %i levels deep is rejected, and it goes on",
    async (depth) => {
      let deep: unknown = new Map();
      for (let i = 0; i < depth; i++) deep = { a: deep };
      const call = { id: "1", name: "select_skills", input: { skills: deep } };
      const { run } = await agentWorld({ files: FILES });
      const model = modelOf((_, turn) =>
        turn === 1 ? { text: "", calls: [call] } : { text: "done", calls: [] },
      );
      const { result, names } = await run(model);
      expect(names).toContain("action-reject");
      expect(result).toMatchObject({ status: "answered", answer: "done" });
    },
  );

  it("M-01 model_failed: with what the model said", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result } = await run([SELECT]);
    expect(result).toMatchObject({
      status: "model_failed",
      reason: "the sequence has 1 answer, and all were given",
      hint: "End the sequence with a final_answer.",
    });
    expect(result.answer).toContain("pdf");
  });

  it.each<[what: string, decide: Model["decide"]]>([
    ["throws", () => Promise.reject(new Error("boom"))],
    [
      "throws at once",
      () => {
        throw new Error("boom");
      },
    ],
    ["gives nothing", () => Promise.resolve(undefined as never)],
    ["gives no message", () => Promise.resolve({ ok: true } as never)],
    [
      "gives calls without names",
      () => Promise.resolve({ ok: true, usage: {}, message: { text: "", calls: [{}] } } as never),
    ],
  ])("M-01 model_failed: a model that %s", async (_, decide) => {
    const { run } = await agentWorld({ files: FILES });
    const { result } = await run(modelOf(() => ({ text: "", calls: [] }), { decide }));
    expect(result.status).toBe("model_failed");
  });

  it("A-04 canceled before it began: the model is never asked", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result, requests } = await run([ANSWER], { signal: AbortSignal.abort() });
    expect(result.status).toBe("canceled");
    expect(requests).toEqual([]);
  });

  it("A-04 canceled in a model call", async () => {
    const { run } = await agentWorld({ files: FILES });
    const abort = new AbortController();
    const { result, names } = await run(
      waitingModel(() => abort.abort()),
      { signal: abort.signal },
    );
    expect(result.status).toBe("canceled");
    expect(names.slice(-2)).toEqual(["model-response", "run-end"]);
  });

  it("A-04 canceled in a script: it is ended, recorded, and nothing follows", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const abort = new AbortController();
    const executor = pretendingExecutor(() => {
      abort.abort();
      return { ok: false, canceled: true };
    });
    const { policy } = gatedPolicy(folder, { decide: () => APPROVED, executor });
    const options = { policy, signal: abort.signal };
    const { result, names } = await run([SELECT, SCRIPT, ANSWER], options);
    expect(result.status).toBe("canceled");
    expect(names.slice(-4)).toEqual(["script-start", "script-end", "action-end", "run-end"]);
  });

  it("A-04 canceled while a person is asked: an end as every other, and nothing ran", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const abort = new AbortController();
    const { policy, ran } = gatedPolicy(folder, {
      decide: (_, signal) => {
        abort.abort(new Error("enough"));
        signal?.throwIfAborted();
        return APPROVED;
      },
    });
    const { result } = await run([SELECT, SCRIPT, ANSWER], { policy, signal: abort.signal });
    expect(result.status).toBe("canceled");
    expect(ran).toEqual([]);
  });

  it("A-08 error: a skill that is called and not there", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result, requests } = await run([ANSWER], { request: "/pfd a.pdf" });
    expect(result).toMatchObject({ status: "error", hint: "did you mean /pdf?" });
    expect(result.reason).toContain('there is no skill named "pfd"');
    expect(requests).toEqual([]);
  });
});

/** Answers only when it is canceled, as the contract says. */
function waitingModel(onAsked = () => {}): Model {
  const canceled = createSequenceModel([]);
  return {
    ...canceled,
    decide: (request, context = {}) =>
      new Promise((resolve) => {
        const { signal } = context;
        signal?.addEventListener("abort", () => resolve(canceled.decide(request, { signal })));
        onAsked();
      }),
  };
}
