import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { createMemoryStore } from "../index.ts";
import { replayRun } from "./index.ts";

const FILES = {
  "project/pdf-tool/SKILL.md": skillText("pdf-tool", "Joins PDF files. Use to join them."),
  "project/notes/SKILL.md": skillText("notes", "Takes notes. Use to take them."),
  "project/hidden/SKILL.md": skillText(
    "hidden",
    "For people, apart. Use by name.",
    "run-mode: subagent\ndisable-model-invocation: true\n",
  ),
  "project/closed/SKILL.md": skillText("closed", "Not for people.", "user-invocable: false\n"),
};
const ANSWER = { action: "final_answer", answer: "done" };
const CHILD = { action: "final_answer", answer: "the summary" };

describe("skills that a person wants used", () => {
  it("C-01 are active from the beginning, in their order, and the request stays as it is", async () => {
    const { run } = await agentWorld({ files: FILES });
    const use = ["notes@project", "PDF-Tool", "notes"];
    const { of, requests, result, records } = await run([ANSWER], { request: "join it", use });
    expect(of("skill-activate")).toMatchObject([
      { name: "notes", by: "person" },
      { name: "pdf-tool", by: "person" },
    ]);
    expect(result.skills).toEqual(["notes", "pdf-tool"]);
    const [first] = requests;
    expect(first?.messages[0]).toEqual({ role: "user", content: "join it" });
    expect(first?.view).toMatchObject({ request: "join it", wanted: ["notes", "pdf-tool"] });
    expect(of("run-start")[0]).toMatchObject({ use });
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  });

  it.each([
    [["pdf-tol"], /no skill named/, "did you mean pdf-tool?"],
    [["pdf-tool@user"], /pdf-tool is from project/, "did you mean pdf-tool or pdf-tool@project?"],
    [["notes", "closed"], /cannot be called by its name/, "Say what you want in your own words"],
    [Array.from({ length: 21 }, (_, i) => `s${i}`), /21 skills are too many/, undefined],
  ])("C-01 R-06 %j ends the run before anything is asked", async (use, reason, hint) => {
    const { run } = await agentWorld({ files: FILES });
    const { result, requests, records } = await run([ANSWER], { use });
    expect(result).toMatchObject({ status: "error", reason: expect.stringMatching(reason) });
    expect(result.hint ?? "").toContain(hint ?? "");
    expect(requests).toEqual([]);
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  });

  it("A-07 one that works apart does so, though models may not call it", async () => {
    const { run } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const use = ["notes", "hidden"];
    const { of, result } = await run([CHILD, ANSWER], { store, request: "do it", use });
    expect(result).toMatchObject({ status: "answered", skills: ["notes"] });
    expect(of("child-end")).toMatchObject([{ skill: "hidden@project", answer: "the summary" }]);
    expect(of("run-start")[1]).toMatchObject({ request: "do it", use: ["hidden@project"] });
    for (const runId of await store.list()) {
      expect(await replayRun((await store.read(runId)) ?? [])).toMatchObject({ ok: true });
    }
  });

  it("A-08 a call beside them comes last, and what was active before and is wanted comes once", async () => {
    const { run } = await agentWorld({ files: FILES });
    const conversation = { id: "x", exchanges: [], skills: ["notes@project"] };
    const { of } = await run([ANSWER], {
      request: "/pdf-tool a.pdf",
      use: ["notes", "pdf-tool"],
      conversation,
    });
    const activated = of("skill-activate");
    expect(activated.map(({ name }) => name)).toEqual(["notes", "pdf-tool"]);
    expect(activated.some(({ carried }) => carried)).toBe(false);
  });
});
