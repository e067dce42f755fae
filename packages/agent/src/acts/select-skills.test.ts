import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agentWorld,
  APPROVED,
  gatedPolicy,
  modelOf,
} from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { createMemoryStore, createSequenceModel } from "../index.ts";

const select = (...names: string[]) => ({
  action: "select_skills",
  skills: names.map((name) => ({ name })),
});
const ANSWER = { action: "final_answer", answer: "done" };

describe("select_skills", () => {
  it("A-06 two bodies a round, coordinators first, the rest is named", async () => {
    const coordinator = 'metadata:\n  role: "coordinator"\n';
    const { run } = await agentWorld({
      files: {
        "project/a/SKILL.md": skillText("a"),
        "project/b/SKILL.md": skillText("b"),
        "project/c/SKILL.md": skillText("c", undefined, coordinator),
      },
    });
    const { of, result } = await run([select("a", "b", "c"), select("b"), ANSWER]);
    expect(of("skill-activate").map(({ name, turn }) => `${turn} ${name}`)).toEqual([
      "1 c",
      "1 a",
      "2 b",
    ]);
    expect(of("action-end")[0]?.observation).toBe(
      "Loaded: c, a. Their instructions follow.\n\nAt most 2 skills are loaded in a turn. Select the rest in the next one: b.",
    );
    expect(result.skills).toEqual(["c", "a", "b"]);
  });

  it("A-06 the same name: by precedence, or the source that is named", async () => {
    const { run } = await agentWorld({
      files: {
        "first/pdf/SKILL.md": `${skillText("pdf")}FIRST`,
        "second/pdf/SKILL.md": `${skillText("pdf")}SECOND`,
      },
      roots: ["first", "second"],
    });
    const { of } = await run([
      select("pdf"),
      { action: "select_skills", skills: [{ name: "pdf", source: "second" }] },
      ANSWER,
    ]);
    const texts = of("skill-activate").map(({ text }) => /FIRST|SECOND/.exec(text)?.[0]);
    expect(texts).toEqual(["FIRST", "SECOND"]);
    expect(new Set(of("skill-activate").map(({ id }) => id)).size).toBe(2);
  });

  it("A-05 a skill that is active already is not loaded twice", async () => {
    const { run } = await agentWorld({ files: { "project/a/SKILL.md": skillText("a") } });
    const { of, requests } = await run([select("a"), select("a"), ANSWER]);
    expect(of("skill-activate").length).toBe(1);
    expect(of("action-end")[1]).toMatchObject({ ok: true });
    expect(of("action-end")[1]?.observation).toMatch(/^The skill a is already active/);
    expect(bodies(requests.at(-1)?.messages, "# Goal of a")).toBe(1);
  });

  it("A-05 a skill that changed on the disk is given anew, and the old text goes", async () => {
    const { run, folder, skills } = await agentWorld({
      files: { "project/a/SKILL.md": skillText("a") },
    });
    const model = createSequenceModel([select("a"), select("a"), ANSWER]);
    const changing: typeof model = {
      ...model,
      async decide(request, context) {
        if (request.view.steps.length === 1) {
          writeFileSync(join(folder, "project/a/SKILL.md"), `${skillText("a")}NEW`);
          await skills.refresh();
        }
        return model.decide(request, context);
      },
    };
    const { of, requests } = await run(changing);
    const [before, after] = of("skill-activate");
    expect(after?.digest).not.toBe(before?.digest);
    expect(after?.text).toContain("This skill has changed");
    expect(bodies(requests.at(-1)?.messages, "# Goal of a")).toBe(1);
    expect(bodies(requests.at(-1)?.messages, "NEW")).toBe(1);
  });

  it("A-02 what is not there is told beside what was loaded", async () => {
    const { run } = await agentWorld({ files: { "project/abc/SKILL.md": skillText("abc") } });
    const { of } = await run([select("abd", "abc"), ANSWER]);
    expect(of("action-end")[0]).toMatchObject({ ok: true });
    expect(of("action-end")[0]?.observation).toContain("Loaded: abc.");
    expect(of("action-end")[0]?.observation).toContain('no skill named "abd". Did you mean abc?');
  });

  it("A-05 D-01 a skill that the catalog has no room for is found by search and selected", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, i) => [
        `project/skill-${i}/SKILL.md`,
        skillText(`skill-${i}`, `Handles matters of kind ${i}. Use for kind ${i}.`),
      ]),
    );
    const { run } = await agentWorld({
      files: {
        ...files,
        "project/zebra/SKILL.md": skillText("zebra", "Draws zebras and stripes."),
      },
      catalogTokens: 300,
    });
    const { of, requests, result } = await run([
      { action: "use_tool", tool: "search_skills", input: { query: "draw a zebra" } },
      select("zebra"),
      ANSWER,
    ]);
    expect(of("run-start")[0]?.catalog.omitted).toBeGreaterThan(50);
    expect(of("run-start")[0]?.catalog.tokens).toBeLessThanOrEqual(300);
    expect(requests[0]?.view.omittedSkills).toBeGreaterThan(50);
    expect(of("action-end")[0]?.observation).toContain("zebra");
    expect(result.skills).toEqual(["zebra"]);
  });

  it("A-05 files and scripts are out of reach before the skill is selected", async () => {
    const { run, folder } = await agentWorld({
      files: {
        "project/a/SKILL.md": skillText("a"),
        "project/a/references/x.md": "x",
        "project/a/scripts/x.py": "",
      },
    });
    const { policy, ran } = gatedPolicy(folder, { decide: () => APPROVED });
    const skill = { name: "a" };
    const { of, names } = await run(
      [
        { action: "load_resource", skill, relative_path: "references/x.md" },
        { action: "run_script", skill, relative_path: "scripts/x.py" },
        ANSWER,
      ],
      { policy },
    );
    expect(of("action-end").map(({ code }) => code)).toEqual([
      "skill-not-active",
      "skill-not-active",
    ]);
    expect(names).not.toContain("file-read");
    expect(ran).toEqual([]);
  });
});

describe("run-mode: subagent", () => {
  const FILES = {
    "project/deep/SKILL.md": `${skillText("deep", undefined, "run-mode: subagent\n")}DEEP STEPS`,
    "project/other/SKILL.md": `${skillText("other", undefined, "run-mode: subagent\n")}OTHER STEPS`,
    "project/flat/SKILL.md": skillText("flat"),
  };
  const isChild = (system: string) => system.includes("a part of a larger request");

  it("A-07 works in a run of its own, with a part of the budget, and gives a summary back", async () => {
    const { run } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const model = modelOf(({ system, messages }) => {
      if (isChild(system)) return { text: "the summary", calls: [] };
      const last = messages.at(-1);
      return { text: last?.role === "user" ? JSON.stringify(select("deep")) : "done", calls: [] };
    });
    const { result, of, requests } = await run(model, { store, request: "dig" });
    expect(result).toMatchObject({ status: "answered", skills: [], usage: { turns: 3 } });
    const [start] = of("child-start");
    const [end] = of("child-end");
    expect(end).toMatchObject({ runId: start?.runId, status: "answered", answer: "the summary" });
    const parents = requests.filter(({ system }) => !isChild(system));
    const child = requests.find(({ system }) => isChild(system));
    expect(JSON.stringify(parents.map(({ messages }) => messages))).not.toContain("DEEP STEPS");
    expect(JSON.stringify(child?.messages)).toContain("DEEP STEPS");
    expect(child?.messages[0]?.content).toBe("dig");
    expect(of("action-end")[0]?.observation).toContain("the summary");
    const [childStart] = (await store.read(start?.runId ?? "")) ?? [];
    expect(childStart?.data).toMatchObject({
      parent: result.runId,
      budget: { turns: 19, toolCalls: 50, scripts: 15, tokens: 249_994 },
    });
  });

  it("A-07 what a child uses up is used up for its parent too", async () => {
    const { run } = await agentWorld({ files: FILES });
    const model = modelOf(({ system, messages }, turn) => {
      const plan = {
        action: "update_plan",
        plan_update: { replace: { goal: `${turn}`, steps: [] } },
      };
      if (isChild(system)) return { text: JSON.stringify(plan), calls: [] };
      const last = messages.at(-1)?.role;
      return { text: last === "user" ? JSON.stringify(select("deep")) : "done", calls: [] };
    });
    const { result, of } = await run(model, { budget: { turns: 8 } });
    expect(of("child-end")[0]).toMatchObject({ status: "budget_exhausted", usage: { turns: 3 } });
    expect(result).toMatchObject({ status: "answered", usage: { turns: 5 } });
  });

  it("A-07 two of them in one decision are two runs, and the same one twice is one", async () => {
    const { run } = await agentWorld({ files: FILES });
    const model = modelOf(({ system }, turn) => {
      if (isChild(system)) return { text: "ok", calls: [] };
      const text = turn === 1 ? JSON.stringify(select("deep", "other", "deep", "flat")) : "done";
      return { text, calls: [] };
    });
    const { result, of } = await run(model);
    expect(of("child-end").length).toBe(2);
    expect(new Set(of("child-end").map(({ runId }) => runId)).size).toBe(2);
    expect(result).toMatchObject({ status: "answered", skills: ["flat"] });
  });

  it("A-07 a child that selects its own skill gets no child of its own", async () => {
    const { run } = await agentWorld({ files: FILES });
    let asked = 0;
    const model = modelOf(({ system }, turn) => {
      if (isChild(system))
        return { text: asked++ === 0 ? JSON.stringify(select("deep")) : "ok", calls: [] };
      return { text: turn === 1 ? JSON.stringify(select("deep")) : "done", calls: [] };
    });
    const store = createMemoryStore();
    const { result } = await run(model, { store });
    expect(result.status).toBe("answered");
    expect((await store.list()).length).toBe(2);
  });

  it("P-02 A-07 a child that waits for an approval makes its parent wait", async () => {
    const { run, folder } = await agentWorld({
      files: { ...FILES, "project/deep/scripts/x.py": "print(1)\n" },
    });
    const { policy, ran } = gatedPolicy(folder);
    const script = { action: "run_script", skill: { name: "deep" }, relative_path: "x.py" };
    const model = modelOf(({ system }) => ({
      text: JSON.stringify(isChild(system) ? script : select("deep")),
      calls: [],
    }));
    const { result, names } = await run(model, { policy });
    expect(result.status).toBe("needs_approval");
    expect(names.slice(-2)).toEqual(["child-wait", "run-end"]);
    expect(ran).toEqual([]);
  });
});

describe("/skill-name", () => {
  const FILES = {
    "project/pdf/SKILL.md": `${skillText("pdf")}Work on $ARGUMENTS.`,
    "project/inner/SKILL.md": skillText("inner", undefined, "user-invocable: false\n"),
    "project/manual/SKILL.md": `${skillText("manual", undefined, "disable-model-invocation: true\n")}BY HAND`,
  };

  it("A-08 loads the skill before the first decision, with what was typed behind it", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { of, requests, names } = await run([ANSWER], { request: "/pdf a.pdf  b.pdf" });
    expect(names.slice(0, 3)).toEqual(["run-start", "skill-activate", "model-request"]);
    expect(of("run-start")[0]).toMatchObject({
      invoked: { skill: "pdf", arguments: "a.pdf  b.pdf" },
      normalizedRequest: "a.pdf  b.pdf",
    });
    expect(of("skill-activate")[0]).toMatchObject({ name: "pdf", by: "person", turn: 0 });
    expect(requests[0]?.messages.at(-1)?.content).toContain("Work on a.pdf  b.pdf.");
  });

  it("A-08 only what is user-invocable, and also what is kept from models", async () => {
    const { run } = await agentWorld({ files: FILES });
    const inner = await run([ANSWER], { request: "/inner x" });
    expect(inner.result).toMatchObject({ status: "error" });
    expect(inner.requests).toEqual([]);
    const manual = await run([ANSWER], { request: "/manual x" });
    expect(manual.result).toMatchObject({ status: "answered", skills: ["manual"] });
    const byModel = await run([select("manual"), ANSWER]);
    expect(byModel.of("action-end")[0]).toMatchObject({ ok: false, code: "skill-not-found" });
    expect(byModel.requests[0]?.system).not.toContain("manual");
  });

  it("A-08 a path is no call", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { result } = await run([ANSWER], { request: "/etc/hosts is wrong, why?" });
    expect(result.status).toBe("answered");
  });
});

function bodies(messages: readonly { readonly content: string }[] = [], text = ""): number {
  return messages.filter(({ content }) => content.includes(text)).length;
}
