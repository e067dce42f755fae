import { join } from "node:path";
import { estimateTokens } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createRulesModel, createSequenceModel, type Model, type ModelRequest } from "../index.ts";
import { openMockModel, type ViewedStep } from "../internal/index.ts";

function requestOf(request: string, observations: string[] = []): ModelRequest {
  const steps: ViewedStep[] = observations.map((observation) => ({
    action: { action: "use_tool" },
    ok: true,
    observation,
  }));
  return {
    system: "You decide.",
    messages: [{ role: "user", content: request }],
    actions: [],
    maxOutputTokens: 1000,
    view: {
      request,
      skills: [],
      omittedSkills: 0,
      active: [],
      steps,
      tools: [],
      mustAnswer: false,
    },
  };
}

async function textOf(model: Model, request: string, observations?: string[]): Promise<string> {
  const response = await model.decide(requestOf(request, observations));
  return response.ok ? response.message.text : response.error.code;
}

function rulesModel(rules: Parameters<typeof createRulesModel>[0]): Model {
  const made = createRulesModel(rules);
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

describe("sequence model", () => {
  it("M-02 returns its answers in turn, then reports that there are no more", async () => {
    const model = createSequenceModel([{ action: "final_answer", answer: "a" }, "no JSON"]);
    expect(await textOf(model, "x")).toBe('{"action":"final_answer","answer":"a"}');
    expect(await textOf(model, "x")).toBe("no JSON");
    expect(await textOf(model, "x")).toBe("no-more-answers");
  });

  it("M-04 reports tokens, also for failures, and streams its text", async () => {
    const model = createSequenceModel(["hello"]);
    expect(model).toMatchObject({ id: "mock:sequence", protocol: "json" });
    const seen: string[] = [];
    const first = await model.decide(requestOf("hi"), { onText: (text) => seen.push(text) });
    const inputTokens = estimateTokens("You decide.") + estimateTokens("hi");
    expect(first.usage).toMatchObject({
      inputTokens,
      outputTokens: estimateTokens("hello"),
      calls: 1,
    });
    expect(seen).toEqual(["hello"]);
    const second = await model.decide(requestOf("hi"));
    expect(second).toMatchObject({ ok: false, usage: { inputTokens, outputTokens: 0 } });
  });

  it("M-02 a canceled request takes no answer", async () => {
    const model = createSequenceModel(["hello"]);
    const canceled = await model.decide(requestOf("hi"), { signal: AbortSignal.abort() });
    expect(canceled).toMatchObject({ ok: false, error: { code: "canceled" } });
    expect(await textOf(model, "hi")).toBe("hello");
  });

  it("M-02 comes from a file, with clear failures", async () => {
    const folder = temporaryFolder({
      "good.json": '{ "actions": ["raw", { "action": "final_answer", "answer": "a" }] }',
      "broken.json": "{",
      "wrong.json": '{ "actions": [1] }',
    });
    const read = (name: string) => openMockModel(join(folder, name));
    const good = await read("good.json");
    expect(good.ok && (await textOf(good.model, "x"))).toBe("raw");
    const rest = await openMockModel(join(folder, "good.json"), { answered: 1 });
    expect(rest.ok && (await textOf(rest.model, "x"))).toContain('"final_answer"');
    expect(await read("none.json")).toMatchObject({ code: "file-not-found" });
    expect(await read("broken.json")).toMatchObject({
      code: "file-invalid",
      message: expect.stringMatching(/is not JSON/),
    });
    expect(await read("wrong.json")).toMatchObject({
      code: "file-invalid",
      message: expect.stringMatching(/actions/),
    });
    expect(await read(".")).toMatchObject({ code: "file-unreadable" });
  });
});

describe("rules model", () => {
  const rules = [
    {
      pattern: "merge (?<file>\\S+)",
      steps: [
        { action: { action: "run_script", args: ["${file}", "${other}", "${__proto__}"] } },
        { after: "fail", action: { action: "final_answer", answer: "It failed." } },
        { after: "ok", action: { action: "final_answer", answer: "Merged ${file}." } },
      ],
    },
    { pattern: ".", steps: [{ action: "what?" }] },
  ];

  it("M-02 puts captures in as data", async () => {
    const text = await textOf(rulesModel(rules), 'Merge "${file}"}');
    expect(JSON.parse(text)).toEqual({
      action: "run_script",
      args: ['"${file}"}', "${other}", "${__proto__}"],
    });
  });

  it("M-02 goes on by the last observation", async () => {
    const model = rulesModel(rules);
    expect(await textOf(model, "merge a.pdf", ["ok: 3 pages"])).toContain("Merged a.pdf.");
    expect(await textOf(model, "merge a.pdf", ["failed"])).toContain("It failed.");
    expect(await textOf(model, "merge a.pdf", ["neither"])).toBe("no-more-answers");
    expect(await textOf(model, "merge a.pdf", ["failed", "ok"])).toContain("Merged");
    expect(await textOf(model, "something else")).toBe("what?");
    expect(await textOf(model, "")).toBe("no-more-answers");
  });

  it("M-02 refuses an invalid pattern, and names its place", () => {
    expect(createRulesModel([{ pattern: "(", steps: [{ action: "x" }] }])).toMatchObject({
      code: "rule-invalid",
      message: expect.stringMatching(/^rule 1: /),
    });
    const steps = [{ action: "x", after: "(" }];
    expect(createRulesModel([{ pattern: "a", steps }])).toMatchObject({
      message: expect.stringMatching(/^rule 1, step 1: /),
    });
  });

  it.each(["(a+)+$", "(a|aa)*b", ".*.*.*.*.*x$"])(
    "M-02 ends %s, which runs away",
    async (pattern) => {
      const model = rulesModel([{ pattern, steps: [{ action: "x" }] }]);
      const response = await model.decide(requestOf(`${"a".repeat(5000)}!`));
      expect(response).toMatchObject({
        ok: false,
        error: { code: "no-more-answers", message: expect.stringMatching(/took longer than/) },
      });
    },
  );

  it("M-02 comes from a file", async () => {
    const folder = temporaryFolder({
      "rules.json": JSON.stringify({ rules }),
      "bad.json": '{"rules":[{}]}',
    });
    const made = await openMockModel(join(folder, "rules.json"));
    expect(made.ok && (await textOf(made.model, "something else"))).toBe("what?");
    expect(await openMockModel(join(folder, "bad.json"))).toMatchObject({
      code: "file-invalid",
      message: expect.stringMatching(/pattern/),
    });
  });
});
