import { describe, expect, it } from "vitest";
import { action, agentWorld, callingModel } from "../../../../test/support/agent-world.ts";
import { Crash, crashingStore } from "../../../../test/fault/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { createMemoryStore, createSequenceModel, resumeAgent, runAgent } from "../index.ts";
import { replayRun } from "./index.ts";

const FILES = {
  "project/apart/SKILL.md": `${skillText("apart", "Works apart. Use for that.", "run-mode: subagent\n")}Look at $ARGUMENTS.`,
  "project/hidden/SKILL.md": skillText(
    "hidden",
    "Works apart for people. Use by name.",
    "run-mode: subagent\ndisable-model-invocation: true\n",
  ),
  "project/inline/SKILL.md": skillText("inline", "Works here. Use for that."),
};
const CHILD = { action: "final_answer", answer: "the summary" };
const ANSWER = { action: "final_answer", answer: "done" };

describe("a skill that works apart, called by its name", () => {
  it.each(["apart", "hidden", "apart@project"])(
    "A-07 A-08 /%s works in a child run, and its summary comes back",
    async (name) => {
      const { run } = await agentWorld({ files: FILES });
      const { of, result, requests } = await run([CHILD, ANSWER], {
        request: `/${name} the ledger`,
      });
      expect(result).toMatchObject({ status: "answered", answer: "done", skills: [] });
      const [skill] = name.split("@");
      expect(of("child-end")).toMatchObject([
        { skill: `${skill}@project`, status: "answered", answer: "the summary" },
      ]);
      const [start, child] = of("run-start");
      expect(child).toMatchObject({ parent: start?.runId, normalizedRequest: "the ledger" });
      // Only the child has the instructions in its context, with what the person typed.
      const [asked, after] = requests.map(({ messages }) => JSON.stringify(messages));
      expect(asked?.includes("Look at the ledger.")).toBe(skill === "apart");
      expect(after).not.toContain("Look at the ledger.");
      expect(after).toContain("the summary");
    },
  );

  it("A-07 the same with native calls, within the budget, and replayed event for event", async () => {
    const { run } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const model = callingModel([action("final_answer", CHILD), action("final_answer", ANSWER)]);
    const { result } = await run(model, { store, request: "/apart x", budget: { turns: 6 } });
    expect(result).toMatchObject({ answer: "done", usage: { turns: 3, modelCalls: 2 } });
    const records = (await store.read(result.runId)) ?? [];
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  });

  it.each([{ request: "/hidden x" }, { request: "x", use: ["hidden", "inline"] }])(
    "A-07 %j wherever it is cut off, it goes on and the child works once",
    async (asked) => {
      const { skills } = await agentWorld({ files: FILES });
      const options = { ...asked, skills, ids: () => "run" };
      for (let last = 1; ; last++) {
        const store = createMemoryStore();
        const model = createSequenceModel([CHILD, ANSWER]);
        const crashed = await runAgent({
          ...options,
          model,
          store: crashingStore(store, last),
        }).catch((error: unknown) => error);
        if (!(crashed instanceof Crash)) break;
        const again = (await store.read("run.1")) ?? [];
        const isChildDone = again.some(({ event }) => event === "run-end");
        const rest = createSequenceModel(isChildDone ? [ANSWER] : [CHILD, ANSWER]);
        const resumed = await resumeAgent({ runId: "run", skills, store, model: rest });
        const records = (await store.read("run")) ?? [];
        expect(resumed, `cut off after ${last}`).toMatchObject({ ok: true, status: "answered" });
        expect(records.filter(({ event }) => event === "child-end").length).toBe(1);
        expect(await store.list()).toEqual(expect.arrayContaining(["run", "run.1"]));
        expect(await replayRun(records)).toMatchObject({ ok: true });
      }
    },
  );

  it("A-08 one that is not to be called ends the run before anything is asked", async () => {
    const files = {
      "project/apart/SKILL.md": skillText(
        "apart",
        "Works apart.",
        "run-mode: subagent\nuser-invocable: false\n",
      ),
    };
    const { run } = await agentWorld({ files });
    const { result, requests } = await run([ANSWER], { request: "/apart x" });
    expect(result).toMatchObject({
      status: "error",
      reason: expect.stringContaining("by its name"),
    });
    expect(requests).toEqual([]);
  });
});

describe("a source that is named", () => {
  it("A-06 /name@source with a source that has no such skill is an error", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result, requests } = await run([ANSWER], { request: "/inline@user 5 mi km" });
    expect(result).toMatchObject({
      status: "error",
      reason: 'there is no skill "inline@user"; inline is from project',
      hint: "did you mean /inline or /inline@project?",
    });
    expect(requests).toEqual([]);
    expect((await run([ANSWER], { request: "/nowhere@user x" })).result.status).toBe("error");
  });

  it.each(["/etc/hosts is full", "/tmp/a@b.c went away", "/anna@example.com asks"])(
    "A-08 %j is no call",
    async (request) => {
      const { run } = await agentWorld({ files: FILES });
      expect((await run([ANSWER], { request })).result.status).toBe("answered");
    },
  );
});
