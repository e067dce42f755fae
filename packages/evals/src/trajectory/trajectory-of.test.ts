import { createMemoryStore } from "@skillwright/agent";
import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/support/agent-world.ts";
import { trajectoryOf } from "../index.ts";

const FILES = {
  "project/pdf/SKILL.md":
    "---\nname: pdf\ndescription: Reads PDF files. Use for PDFs.\n---\nRead FORMS.md.\n",
  "project/pdf/references/FORMS.md": "# Forms\n",
  "project/apart/SKILL.md":
    "---\nname: apart\ndescription: Works apart. Use for large work.\ncontext: fork\n---\nDo it.\n",
};

describe("trajectoryOf", () => {
  it("E-02 gives what was done, in order, with arguments, results and use", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { records } = await run([
      { action: "update_plan", plan_update: { patch: { goal: "read" } } },
      { action: "select_skills", skills: [{ name: "PDF" }] },
      { action: "jump" },
      { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/FORMS.md" },
      { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/NONE.md" },
      { action: "final_answer", answer: "It has forms." },
    ]);
    const { steps, skills, answer, status, usage } = trajectoryOf(records);
    expect(steps.map(({ action, subject, ok }) => [action, subject, ok])).toEqual([
      ["select_skills", "PDF", true],
      ["rejected", "", false],
      ["load_resource", "pdf/references/FORMS.md", true],
      ["load_resource", "pdf/references/NONE.md", false],
      ["final_answer", "", true],
    ]);
    expect(steps[2]?.arguments).toEqual({
      skill: { name: "pdf" },
      relative_path: "references/FORMS.md",
    });
    expect(steps[2]?.observation).toContain("# Forms");
    expect([skills, answer, status]).toEqual([["pdf"], "It has forms.", "answered"]);
    expect(usage).toMatchObject({ toolCalls: 2, scripts: 0 });
    expect(steps.map(({ atMs }) => atMs)).toEqual(
      steps.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
    );
  });

  it("E-02 puts the steps of a child run where it was started, and leaves its answer out", async () => {
    const { run } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const { records, result } = await run(
      [
        { action: "select_skills", skills: [{ name: "apart" }] },
        { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/FORMS.md" },
        { action: "final_answer", answer: "child" },
        { action: "final_answer", answer: "parent" },
      ],
      { store },
    );
    const expected = {
      answer: "parent",
      skills: ["apart"],
      steps: [
        { action: "select_skills", subject: "apart", ok: true },
        { action: "load_resource", subject: "apart > pdf/references/FORMS.md" },
        { action: "final_answer", subject: "" },
      ],
    };
    const live = trajectoryOf(records);
    expect(live).toMatchObject(expected);
    const own = (await store.read(result.runId)) ?? [];
    const children = new Map(
      await Promise.all(
        (await store.list()).map(async (id) => [id, (await store.read(id)) ?? []] as const),
      ),
    );
    const stored = trajectoryOf(own, { childRecords: (id) => children.get(id) ?? [] });
    expect(stored).toMatchObject(expected);
    expect(trajectoryOf(own).steps).toHaveLength(2);
  });

  it("E-02 a run that was cut off has what was begun, as not done", () => {
    const cut = trajectoryOf([
      { event: "model-response", data: { turn: 1, calls: [], elapsedMs: 7 } },
      {
        event: "action-decide",
        data: { turn: 1, action: { action: "use_tool", tool: "x", input: {} } },
      },
    ]);
    expect(cut).toMatchObject({
      status: "unfinished",
      steps: [{ action: "use_tool", subject: "x", ok: false }],
      usage: { turns: 1, toolCalls: 1, timeMs: 7 },
    });
  });
});
