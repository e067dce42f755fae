import type { AuditRecord } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import {
  agentWorld,
  APPROVED,
  gatedPolicy,
  REFUSED,
} from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import type { ModelRequested, RunResume } from "../internal/index.ts";
import { applyEvent, EMPTY_STATE, nextStep, type RunState } from "./index.ts";
import { buildRequest, requestDigest } from "../context/index.ts";

const FILES = {
  "project/pdf/SKILL.md": skillText("pdf"),
  "project/pdf/references/forms.md": "# Forms\nFill them.\n",
  "project/pdf/scripts/join.py": "print('joined')\n",
};
const SELECT = { action: "select_skills", skills: [{ name: "pdf" }] };
const READ = {
  action: "load_resource",
  skill: { name: "pdf" },
  relative_path: "references/forms.md",
};
const SCRIPT = { action: "run_script", skill: { name: "pdf" }, relative_path: "scripts/join.py" };
const ANSWER = { action: "final_answer", answer: "done" };

const fold = (
  records: readonly Pick<AuditRecord, "event" | "data">[],
  state = EMPTY_STATE,
): RunState => records.reduce(applyEvent, state);
const resumed = (state: RunState, reason: RunResume["reason"] = "person") =>
  applyEvent(state, { event: "run-resume", data: { reason } });
const upTo = (records: readonly AuditRecord[], event: string) =>
  records.slice(0, records.findIndex((record) => record.event === event) + 1);

describe("a run is what its record makes it", () => {
  it("X-11 a resumed run knows which changes still wait, and forgets those that were decided on", () => {
    const held = fold([{ event: "changes-end", data: { left: 2 } }]);
    expect(held.heldChanges).toBe(2);
    expect(resumed(held).heldChanges).toBe(0);
    const data = { reason: "crash", heldChanges: 1 };
    const again = applyEvent(held, { event: "run-resume", data });
    expect(again.heldChanges).toBe(1);
    expect(again.entries.at(-1)?.message.content).toMatch(/^\[1 change of scripts is held/);
  });

  it("X-11 A-05 what was decided after the end reaches the model, behind the answer it had given", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([SELECT, READ, ANSWER]);
    const end = { status: "needs_approval", answer: "done", isAnswer: true, approval: "changes" };
    const settled = (data: object) => ({
      event: "changes-settle" as const,
      data: { principal: "local:1", count: 1, paths: ["a.md"], ...data },
    });
    const ended = fold([{ event: "run-end", data: end }], fold(records.slice(0, -1)));
    const intended = fold([settled({ decision: "kept" })], ended);
    expect(intended).toBe(ended);
    const part = fold([settled({ decision: "kept", left: 1 })], ended);
    expect(part).toMatchObject({ heldChanges: 1, end: { status: "needs_approval" } });
    const rest = settled({ decision: "discarded", left: 0, paths: ["b.md"] });
    const all = fold([rest], part);
    expect(all.end).toMatchObject({ status: "answered", answer: "done" });
    expect(all.end).not.toHaveProperty("approval");
    const texts = resumed(all).entries.map(({ message }) => message.content);
    expect(texts.at(-2)).toMatch(/keep these changes [^]*"a\.md"/);
    expect(texts.at(-1)).toMatch(/discard these changes [^]*"b\.md"/);
  });

  it("A-04 P-02 a script whose changes were refused has achieved nothing", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder, { decide: () => APPROVED });
    const { records } = await run([SELECT, SCRIPT, ANSWER], { policy });
    const end = records.findLastIndex(({ event }) => event === "action-end");
    const { call } = (records[end]?.data ?? {}) as { readonly call?: number };
    const data = { call, decision: { approved: false } };
    const refusal = { event: "approval-decision", data } as const;
    expect(nextStep(fold(records.slice(0, -1)), false)).toMatchObject({
      end: { status: "answered" },
    });
    const refused = [...records.slice(0, end), refusal, ...records.slice(end, -1)];
    expect(nextStep(fold(refused), false)).toMatchObject({
      end: { status: "denied", answer: "done" },
    });
  });

  it("A-04 the exit code of a command is the model's to judge, that of a script is not", async () => {
    const ended = (action: object) => {
      const decided = { turn: 1, call: 0, action };
      const answer = { turn: 2, call: 0, action: ANSWER };
      return fold([
        { event: "action-decide", data: decided },
        { event: "tool-call", data: { call: 0 } },
        {
          event: "action-end",
          data: { call: 0, ok: false, code: "script-failed", observation: "" },
        },
        { event: "action-decide", data: answer },
      ]);
    };
    const command = { action: "use_tool", tool: "run_command", input: { command: "diff a b" } };
    expect(ended(command).hasFailed).toBe(false);
    expect(ended(SCRIPT).hasFailed).toBe(true);
  });

  it("A-05 P-03 every request to the model can be made again from what was recorded before it", async () => {
    const { run } = await agentWorld({ files: FILES });
    const bad = { action: "nonsense" };
    const model = { contextTokens: 1e6, protocol: "json" } as const;
    const { records, requests } = await run([SELECT, bad, READ, READ, ANSWER]);
    const tools = { tools: [], canRun: false, isScript: () => false };
    const asked = records.filter(({ event }) => event === "model-request");
    expect(asked.length).toBe(5);
    for (const [turn, record] of asked.entries()) {
      const { mustAnswer, digest } = record.data as ModelRequested;
      const state = fold(structuredClone(records.slice(0, records.indexOf(record))));
      const { request } = buildRequest(state, { tools, model, mustAnswer });
      const { messages, actions = [] } = requests[turn] ?? {};
      expect(request.messages).toEqual(messages);
      expect(requestDigest({ ...request, actions })).toBe(digest);
    }
    expect(fold(records).end?.status).toBe("answered");
  });

  it("A-01 events of others change nothing", () => {
    expect(applyEvent(EMPTY_STATE, { event: "something-else", data: { runId: 1 } })).toBe(
      EMPTY_STATE,
    );
  });
});

describe("a run that goes on", () => {
  it("A-04 after a model that failed, the model is asked again, and the turn is not lost", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records, result } = await run([SELECT]);
    expect(result.status).toBe("model_failed");
    const state = resumed(fold(records));
    expect(nextStep(state, false)).toEqual({ step: "decide", mustAnswer: false });
    expect(state.usage.turns).toBe(1);
  });

  it("A-04 cut off while the model was asked: the same", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([ANSWER], { budget: { turns: 1 } });
    const state = resumed(fold(upTo(records, "model-request")), "crash");
    expect(nextStep(state, false)).toEqual({ step: "decide", mustAnswer: true });
    expect(state.usage.turns).toBe(0);
  });

  it("A-02 after output that could not be used, the repairs count anew", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records, result } = await run(["{", "{", "{", "{"]);
    expect(result.status).toBe("invalid_output");
    expect(nextStep(resumed(fold(records)), false).step).toBe("decide");
  });

  it("P-02 after a refusal, a person who resumes is asked again; after a crash it holds", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder, { decide: () => REFUSED });
    const { records, result } = await run([SELECT, SCRIPT, SCRIPT], { policy });
    expect(result.status).toBe("denied");
    expect(nextStep(resumed(fold(records)), false).step).toBe("act");
    expect(nextStep(resumed(fold(records), "crash"), false)).toMatchObject({
      step: "end",
      end: { status: "denied" },
    });
  });

  it("P-02 an answer after a refusal is not the end for a person who resumes", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder, { decide: () => REFUSED });
    const { records, result } = await run([SELECT, SCRIPT, ANSWER], { policy });
    expect(result).toMatchObject({ status: "denied", answer: "done" });
    const state = resumed(fold(records));
    expect(nextStep(state, false)).toEqual({ step: "decide", mustAnswer: false });
    expect(state.entries.at(-1)?.message.content).toContain("lets it continue");
    // Cut off between the answer and the end, it ends as it would have.
    const cut = resumed(fold(records.slice(0, -1)), "crash");
    expect(nextStep(cut, false)).toMatchObject({ step: "end", end: { status: "denied" } });
  });

  it("A-04 an answer that the budget forced is not the end with a larger budget", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([SELECT, ANSWER], { budget: { turns: 2 } });
    const budget = { ...fold(records).budget, turns: 9 };
    const state = applyEvent(fold(records), {
      event: "run-resume",
      data: { reason: "person", budget },
    });
    expect(nextStep(state, false)).toEqual({ step: "decide", mustAnswer: false });
    expect(nextStep(resumed(fold(records)), false)).toMatchObject({
      step: "end",
      end: { status: "budget_exhausted", exhausted: "turns" },
    });
  });

  it("P-02 after an approval that was waited for, what was pending is done", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder);
    const { records } = await run([SELECT, SCRIPT], { policy });
    expect(nextStep(resumed(fold(records), "approval"), false)).toMatchObject({
      step: "act",
      calls: [{ action: SCRIPT }],
    });
  });

  it("P-02 where only a person at a terminal may approve, it is not said otherwise", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([SELECT, ANSWER]);
    const resumeCommand = "skillwright runs resume run-1";
    const waiting = applyEvent(fold(upTo(records, "action-decide")), {
      event: "approval-decision",
      data: { request: "r1", decision: { approved: false, pending: true, resumeCommand } },
    });
    expect(nextStep(waiting, false)).toMatchObject({
      step: "end",
      end: { status: "needs_approval", approval: "r1", hint: resumeCommand },
    });
  });

  it("A-04 an answer that is there is given, also when somebody cancels meanwhile", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([ANSWER]);
    const state = fold(upTo(records, "action-decide"));
    expect(nextStep(state, true)).toMatchObject({ step: "end", end: { status: "answered" } });
  });

  it("A-04 what had begun is not begun again", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([SELECT, ANSWER]);
    const pending = fold(upTo(records, "action-decide"));
    const begun = applyEvent(pending, { event: "script-start", data: {} });
    expect(nextStep(resumed(begun, "crash"), false)).toMatchObject({
      step: "decline",
      code: "interrupted",
    });
    expect(nextStep(resumed(pending, "crash"), false).step).toBe("act");
  });

  it("A-05 a skill that is gone leaves a note where its instructions were", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records, of } = await run([SELECT, ANSWER]);
    const { id = "", name = "" } = of("skill-activate")[0] ?? {};
    const state = applyEvent(fold(records), {
      event: "skill-drop",
      data: { id, name, reason: "it is not trusted" },
    });
    expect(state.active).toEqual([]);
    const texts = state.entries.map(({ message }) => message.content).join("\n");
    expect(texts).not.toContain("# Goal of pdf");
    expect(texts).toContain("The skill pdf can no longer be used: it is not trusted");
  });
});
