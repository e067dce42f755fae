import { join } from "node:path";
import { estimateTokens } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import type { Model, ModelRequest, ViewedStep } from "../model.ts";
import { createRulesModel } from "./create-rules-model.ts";
import { createSequenceModel } from "./create-sequence-model.ts";
import { readRulesFile, readSequenceFile } from "./mock-files.ts";

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
  it("M-02 gives its answers in turn, then says that there are no more", async () => {
    const model = createSequenceModel([{ action: "final_answer", answer: "a" }, "no JSON"]);
    expect(await textOf(model, "x")).toBe('{"action":"final_answer","answer":"a"}');
    expect(await textOf(model, "x")).toBe("no JSON");
    expect(await textOf(model, "x")).toBe("no-more-answers");
  });

  it("M-04 reports tokens, also for failures, and streams its text", async () => {
    const model = createSequenceModel(["hello"], { id: "mock:test" });
    expect(model).toMatchObject({ id: "mock:test", protocol: "json" });
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
    const read = (name: string) => readSequenceFile(join(folder, name));
    expect(await read("good.json")).toMatchObject({ ok: true, actions: ["raw", { answer: "a" }] });
    expect(await read("none.json")).toMatchObject({ code: "file-not-found" });
    expect(await read("broken.json")).toMatchObject({ code: "file-invalid", message: /no JSON/ });
    expect(await read("wrong.json")).toMatchObject({ code: "file-invalid", message: /actions/ });
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

  it("M-02 refuses patterns that could run away or are none", () => {
    for (const pattern of [
      "(a+)+$",
      "(a|aa)*b",
      "(a)\\1",
      "(",
      "((a{1,9}))*",
      "x".repeat(1001),
      "a*b*c*d*e*f*g*",
      "(x(a|b))+",
      ".{0,900}.{0,900}.{0,900}.{0,900}.{0,900}x",
    ]) {
      expect(createRulesModel([{ pattern, steps: [{ action: "x" }] }]), pattern).toMatchObject({
        code: "rule-invalid",
      });
    }
    for (const pattern of ["[(+*)+]+", "\\(a+\\)+", "^(?<a>.+) to (?<b>.+)$", "(?:ab)+"]) {
      expect(createRulesModel([{ pattern, steps: [{ action: "x" }] }]), pattern).toMatchObject({
        ok: true,
      });
    }
    const steps = [{ action: "x", after: "(a+)+" }];
    expect(createRulesModel([{ pattern: "a", steps }])).toMatchObject({
      message: /rule 1, step 1/,
    });
  });

  it("M-02 ends soon on texts made to keep patterns busy", async () => {
    const model = rulesModel([{ pattern: ".*.*.*x$", steps: [{ action: "x" }] }]);
    expect(await textOf(model, "a".repeat(1_000_000))).toBe("no-more-answers");
  });

  it("M-02 comes from a file", async () => {
    const folder = temporaryFolder({
      "rules.json": JSON.stringify({ rules }),
      "bad.json": '{"rules":[{}]}',
    });
    expect(await readRulesFile(join(folder, "rules.json"))).toEqual({ ok: true, rules });
    expect(await readRulesFile(join(folder, "bad.json"))).toMatchObject({
      code: "file-invalid",
      message: /pattern/,
    });
  });
});
