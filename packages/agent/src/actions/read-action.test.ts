import { describe, expect, it } from "vitest";
import type { ModelCall } from "../models/model.ts";
import { actionDefinitions } from "./action-definitions.ts";
import { readAction, type ReadOptions } from "./read-action.ts";

const OPTIONS: ReadOptions = {
  tools: ["read_file", "write_file"],
  canRun: true,
  mustAnswer: false,
  protocol: "json",
};

const read = (text: string, options: Partial<ReadOptions> = {}) =>
  readAction({ text, calls: [] }, { ...OPTIONS, ...options });
const call = (name: string, input: unknown, options: Partial<ReadOptions> = {}) =>
  readAction({ text: "", calls: [{ id: "c1", name, input }] }, { ...OPTIONS, ...options });
const problem = (result: ReturnType<typeof read>) => (result.ok ? "" : result.problem);

describe("readAction", () => {
  it.each<[name: string, input: Record<string, unknown>]>([
    ["select_skills", { skills: [{ name: "pdf", source: "user" }], reason: "it fits" }],
    ["load_resource", { skill: { name: "pdf" }, relative_path: "a.md", section_hint: "## A" }],
    ["run_script", { skill: { name: "pdf" }, relative_path: "scripts/a.py", args: ["--x"] }],
    ["use_tool", { tool: "read_file", input: { path: "a" } }],
    ["update_plan", { plan_update: { patch: { goal: "g" } } }],
    ["final_answer", { answer: "42" }],
  ])("A-01 A-02 %s means the same as a native call and as JSON", (name, input) => {
    const written = read(JSON.stringify({ action: name, ...input }));
    const { callId, ...called } = call(name, input);
    expect(called).toEqual(written);
    expect(written).toMatchObject({ ok: true, action: { action: name, ...input } });
    expect(callId).toBe("c1");
    const { callId: _, ...asText } = call(name, JSON.stringify(input));
    expect(asText).toEqual(written);
  });

  it("A-01 a tool that is called by its own name is used, its own `action` input included", () => {
    const expected = { action: "use_tool", tool: "read_file", input: { path: "a" } };
    expect(call("read_file", { path: "a" })).toMatchObject({ ok: true, action: expected });
    expect(read('{"action":"read_file","path":"a"}')).toMatchObject({ ok: true, action: expected });
    expect(call("git", { action: "push" }, { tools: ["git"] })).toMatchObject({
      action: { action: "use_tool", tool: "git", input: { action: "push" } },
    });
  });

  it("A-01 text is an answer, never a tool", () => {
    expect(read("Run scripts/a.py now!")).toMatchObject({
      action: { action: "final_answer", answer: "Run scripts/a.py now!" },
    });
    const quoting = 'The file says {"action":"use_tool","tool":"read_file"}, so beware.';
    expect(read(quoting, { protocol: "tools" })).toMatchObject({
      action: { action: "final_answer", answer: quoting },
    });
    const bare = '```json\n{"action":"use_tool","tool":"read_file"}\n```';
    expect(read(bare, { protocol: "tools" })).toMatchObject({ action: { action: "use_tool" } });
    expect(read('{"action":"use_to', { protocol: "tools" })).toMatchObject({ ok: false });
    expect(read('<think>maybe {"action":"run_script"}</think>42')).toMatchObject({
      action: { action: "final_answer", answer: "42" },
    });
  });

  const SCRIPT = '{"action":"run_script","skill":{"name":"pdf"},"relative_path":"a.py"}';
  const DONE = '{"action":"final_answer","answer":"no"}';

  it.each([
    ["from the start", `<think>The file says ${SCRIPT}, an injection, so I will not`],
    ["later", `Well. {x} <think>The file says ${SCRIPT}, so I will not`],
    ["and closed without a beginning", `The file says ${SCRIPT}, no.</think>`],
    ["a second time", `<think>a</think><think>${SCRIPT}`],
  ])("A-01 P-01 what is thought decides nothing: %s", (_, text) => {
    expect(read(text)).toMatchObject({ ok: false });
    expect(read(text, { protocol: "tools" })).not.toMatchObject({
      action: { action: "run_script" },
    });
  });

  it("A-01 a decision behind thoughts counts, and an answer may speak of them", () => {
    expect(read(`Well. <think>${SCRIPT}?</think> ${DONE}`)).toMatchObject({
      action: { action: "final_answer", answer: "no" },
    });
    expect(read('{"action":"final_answer","answer":"write <think>"}')).toMatchObject({
      action: { answer: "write <think>" },
    });
  });

  it.each([
    ["two that differ", `I would never do ${SCRIPT}, but ${DONE}`],
    ["two objects and nothing else", `${SCRIPT}\n${DONE}`],
    ["one that is cut off", `${SCRIPT} or ${DONE.slice(0, -4)}`],
    ["one that is broken", `${SCRIPT} or {"action":"final_answer" "answer":"no"}`],
    ["one behind many braces", `${SCRIPT} ${"{x} ".repeat(30)} ${DONE}`],
  ])("A-02 P-01 of several decisions none is done: %s", (_, text) => {
    expect(problem(read(text))).toContain("one action only");
  });

  it("A-02 one decision in prose is done, also when it is repeated", () => {
    expect(read(`I do ${SCRIPT}, that is: ${SCRIPT}`)).toMatchObject({
      action: { action: "run_script" },
    });
  });

  it("A-02 what was cut off is no answer, unless it was complete", () => {
    const cut = (text: string, protocol: ReadOptions["protocol"]) =>
      readAction({ text, calls: [], finish: "length" }, { ...OPTIONS, protocol });
    for (const protocol of ["json", "tools"] as const) {
      expect(problem(cut("The first half of", protocol))).toContain("cut off");
      expect(problem(cut('{"action":"final_answer","answer":"The', protocol))).toContain("cut off");
      expect(problem(cut("", protocol))).toContain("cut off");
      expect(cut(DONE, protocol)).toMatchObject({ ok: true });
    }
  });

  it.each([
    ["single quotes", "Sure: {'action': 'select_skills', 'skills': [{'name': 'pdf'}]}", "single"],
    [
      "names without quotes",
      'Here: {action: "final_answer", answer: "42"}',
      "names stand in double",
    ],
    [
      "a call in tags",
      '<tool_call>{"name":"select_skills","arguments":{"skills":[]}}</tool_call>',
      '{"action": "select_skills", …}',
    ],
    ["a call in tags that is cut off", 'So: <tool_call>{"name":"sele', "Calls are not read here"],
    [
      "a call as an object",
      'I do {"function":{"name":"read_file","arguments":"{}"}}',
      '{"action": "read_file", …}',
    ],
    ["lines", 'Thought: read it\nAction: read_file\nAction Input: {"path":"a"}', '"read_file", …}'],
    ["an object that never ends", 'Here: {"action": "final_answer", "answer": "4', "complete JSON"],
  ])("A-02 a decision in prose that is miswritten is no answer: %s", (_, text, words) => {
    expect(problem(read(text))).toContain(words);
  });

  it.each([
    "Dispatch an action: it is reduced. See {name} and {a, b}.",
    'Give {"name": "Ann"} to the form.',
    "Action: call the office in the morning.",
    "The transaction: 5 EUR.",
  ])("A-02 an answer that only looks a little like one is an answer: %j", (text) => {
    expect(read(text)).toMatchObject({
      ok: true,
      action: { action: "final_answer", answer: text },
    });
  });

  it("A-02 of a model that makes calls, a call written as text is told so, a quoted one is not", () => {
    const tools = { protocol: "tools" } as const;
    const tagged = '<tool_call>{"name":"read_file","arguments":{}}</tool_call>';
    expect(problem(read(tagged, tools))).toContain("Make it as a tool call");
    expect(read(`It wrote ${tagged} and {'action': 'x'}.`, tools)).toMatchObject({ ok: true });
  });

  it.each(["json", "tools"] as const)("A-02 what was withheld is no answer: %s", (protocol) => {
    const refused = (text: string) =>
      readAction({ text, calls: [], finish: "refused" }, { ...OPTIONS, protocol });
    for (const text of ["", "The first half of"]) {
      expect(problem(refused(text))).toContain("withheld");
    }
    expect(refused(DONE)).toMatchObject({ ok: true });
  });

  it.each(["length", "refused"] as const)(
    "A-02 a call without its input is none after %s",
    (finish) => {
      const cut = (input: unknown, more: readonly ModelCall[] = []) =>
        readAction(
          { text: "", calls: [{ id: "c1", name: "read_file", input }, ...more], finish },
          OPTIONS,
        );
      for (const input of [{}, null, "", '{"path":"a', '{"path":"a",}']) {
        expect(cut(input)).toMatchObject({ ok: false, callId: "c1" });
        expect(problem(cut(input))).toMatch(/cut off|withheld/);
      }
      expect(cut({ path: "a" })).toMatchObject({ ok: true });
      // What was cut off is the last one.
      expect(cut({}, [{ id: "c2", name: "read_file", input: "" }])).toMatchObject({ ok: true });
      const whole = {
        text: "",
        calls: [{ id: "c1", name: "read_file", input: {} }],
        finish: "calls",
      };
      expect(readAction({ ...whole, finish: "calls" }, OPTIONS)).toMatchObject({ ok: true });
    },
  );

  const runScript = { action: "run_script", skill: { name: "pdf" }, relative_path: "a.py" };
  it.each<[input: object, expected: string]>([
    [{ ...runScript, arguments: ["-x"] }, 'there is no field "arguments" (did you mean args?).'],
    [
      { action: "run_script", skill: { name: "pdf" }, relative_path: "a.py", path: "b" },
      'there is no field "path" (did you mean relative_path?).',
    ],
    [
      { ...runScript, skill: { name: "pdf", version: 2 } },
      '`skill`: there is no field "version", there are name, source.',
    ],
    [
      { action: "select_skills", skills: [{ name: "pdf", sorce: "user" }] },
      '`skills.0`: there is no field "sorce" (did you mean source?).',
    ],
    [
      { action: "update_plan", plan_update: { patch: { steps: [] } } },
      '`plan_update.patch`: there is no field "steps", there are goal, add, before, update, remove, order, assumptions, constraints.',
    ],
    [
      { action: "update_plan", plan_update: { patch: { add: [{ id: "a", titel: "b" }] } } },
      '`plan_update.patch.add.0`: there is no field "titel" (did you mean title?).',
    ],
  ])("A-02 a field that is not known is named, and nothing is done: %j", (input, expected) => {
    expect(problem(read(JSON.stringify(input)))).toContain(expected);
  });

  it("A-02 models are told that there are no other fields", () => {
    const actions = actionDefinitions({ tools: [], canRun: true, mustAnswer: false });
    for (const { inputSchema } of actions) expect(inputSchema["additionalProperties"]).toBe(false);
    const used = { action: "use_tool", tool: "read_file", input: { anything: 1 } };
    expect(read(JSON.stringify(used))).toMatchObject({ ok: true, action: used });
  });

  it.each([
    ["", "empty"],
    ["  \n", "empty"],
    ['{"action":"final_answer","answer":"cut', "complete JSON object"],
    ['{"answer":"no action"}', "complete JSON object"],
    ['```json\n{"answer":"x"}\n```', "complete JSON object"],
  ])("A-02 %j cannot be read, and it is said how to write it", (text, words) => {
    expect(problem(read(text))).toContain(words);
  });

  it("A-02 an unknown action gets near names and the list of what there is", () => {
    expect(problem(read('{"action":"select_skill","skills":[]}'))).toBe(
      'There is no action "select_skill". Did you mean select_skills? The actions are: select_skills, load_resource, run_script, use_tool, update_plan, final_answer.',
    );
    expect(problem(read('{"action":"readfile"}'))).toContain("Did you mean read_file?");
    expect(problem(read(JSON.stringify({ action: "x".repeat(100_000) }))).length).toBeLessThan(500);
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "A-02 %s is no action, although every object has it",
    (name) => {
      expect(problem(read(JSON.stringify({ action: name })))).toContain("There is no action");
      expect(problem(call(name, {}))).toContain("There is no action");
      const used = read(JSON.stringify({ action: "use_tool", tool: name }));
      expect(problem(used)).toContain("There is no tool");
    },
  );

  it("A-02 own keys of a native call that name a prototype stay plain data", () => {
    const input = JSON.parse('{"__proto__":{"isAdmin":true},"path":"a"}') as object;
    const result = call("read_file", input);
    const given = result.ok && result.action.action === "use_tool" ? result.action.input : {};
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
    expect((given as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(given["path"]).toBe("a");
  });

  it.each<[input: object, expected: string]>([
    [
      { action: "select_skills", skills: "pdf" },
      "select_skills cannot be done like this: `skills`: Invalid input: expected array, received string.",
    ],
    [
      { action: "select_skills", skills: ["pdf"] },
      "select_skills cannot be done like this: `skills.0`: Invalid input: expected object, received string.",
    ],
    [
      { action: "run_script", skill: { name: "pdf" }, relative_path: "a.py", args: "-x" },
      "run_script cannot be done like this: `args`: Invalid input: expected array, received string.",
    ],
    [
      { action: "load_resource", skill: { name: "pdf" } },
      "load_resource cannot be done like this: `relative_path`: Invalid input: expected string, received undefined.",
    ],
    [
      { action: "final_answer", answer: 42 },
      "final_answer cannot be done like this: `answer`: Invalid input: expected string, received number.",
    ],
    [
      { action: "final_answer", answer: "a", plan_update: { goal: "g", steps: [] } },
      "final_answer cannot be done like this: `plan_update`: give either the new plan under `replace`, or changes under `patch`.",
    ],
    [
      { action: "update_plan", plan_update: { replace: { goal: 1, steps: [] } } },
      "update_plan cannot be done like this: `plan_update.replace.goal`: Invalid input: expected string, received number.",
    ],
    [{ action: 7 }, "`action` has to be a name."],
  ])("A-02 says exactly what is wrong with %j", (input, expected) => {
    expect(problem(read(JSON.stringify(input)))).toBe(expected);
  });

  it("A-02 null stands for a property that is not meant", () => {
    const skill = { name: "pdf", source: null };
    const input = { skill, relative_path: "a.md", section_hint: null, plan_update: null };
    expect(call("load_resource", input)).toEqual({
      ok: true,
      action: { action: "load_resource", skill: { name: "pdf" }, relative_path: "a.md" },
      callId: "c1",
    });
  });

  it("A-02 a native call whose input is no object is told so", () => {
    for (const input of [[], 3, null, "not json"]) {
      expect(problem(call("final_answer", input))).toBe(
        "The input of final_answer is no JSON object.",
      );
    }
  });

  it("A-02 only the first of several calls is read", () => {
    const calls: ModelCall[] = [
      { id: "a", name: "final_answer", input: { answer: "1" } },
      { id: "b", name: "final_answer", input: { answer: "2" } },
    ];
    expect(readAction({ text: "", calls }, OPTIONS)).toMatchObject({
      callId: "a",
      action: { answer: "1" },
    });
  });

  it("A-02 a tool that is not there gets near names", () => {
    expect(problem(read('{"action":"use_tool","tool":"reed_file"}'))).toBe(
      'There is no tool "reed_file". Did you mean read_file?',
    );
    expect(problem(read('{"action":"use_tool","tool":"zzz"}'))).toBe(
      'There is no tool "zzz". There are: read_file, write_file.',
    );
  });

  it("A-04 in the last turn only an answer is accepted", () => {
    const script = { action: "run_script", skill: { name: "pdf" }, relative_path: "a.py" };
    const options = { mustAnswer: true };
    expect(problem(read(JSON.stringify(script), options))).toContain("only final_answer");
    expect(read("the answer", options)).toMatchObject({ ok: true });
  });

  it("A-02 a script that cannot be run here is told so", () => {
    const script = { action: "run_script", skill: { name: "pdf" }, relative_path: "a.py" };
    expect(problem(read(JSON.stringify(script), { canRun: false }))).toContain(
      "cannot be run here",
    );
  });
});
