import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelCall } from "../internal/index.ts";
import { actionDefinitions, readWritten } from "./index.ts";
import { type ReadCall, type ReadOptions, readTurn, type Said } from "./index.ts";

const OPTIONS: ReadOptions = {
  tools: ["read_file", "write_file"],
  canRun: true,
  protocol: "json",
};

const turn = (said: Partial<Said>, options: Partial<ReadOptions> = {}) =>
  readTurn({ text: "", calls: [], ...said }, { ...OPTIONS, ...options });
const read = (text: string, options: Partial<ReadOptions> = {}) =>
  turn({ text }, options)[0] as ReadCall;
const call = (name: string, input: unknown, options: Partial<ReadOptions> = {}) => {
  const calls = [{ id: "c1", name, input }];
  return turn({ calls }, { protocol: "tools", ...options })[0] as ReadCall;
};
const actionOf = (result: ReadCall) => (result.ok ? result.action : result.problem);
const problem = (result: ReadCall) => (result.ok ? "" : result.problem);
const isUnparsed = (result: ReadCall) => !result.ok && result.unparsed === true;

const PDF = { name: "pdf" };

describe("a decision in its full form", () => {
  it.each<[name: string, input: Record<string, unknown>]>([
    ["select_skills", { skills: [{ name: "pdf", source: "user" }], reason: "it fits" }],
    ["unload_skill", { skill: PDF }],
    ["load_resource", { skill: PDF, relative_path: "a.md", section_hint: "## A" }],
    ["run_script", { skill: PDF, relative_path: "scripts/a.py", args: ["--x"] }],
    ["use_tool", { tool: "read_file", input: { path: "a" } }],
    ["update_plan", { plan_update: { patch: { goal: "g" } } }],
    ["final_answer", { answer: "42" }],
  ])("A-01 A-02 %s means the same as a call, as JSON and as written data", (name, input) => {
    const written = read(JSON.stringify({ action: name, ...input }));
    expect(written).toEqual({ ok: true, action: { action: name, ...input } });
    expect(call(name, input)).toEqual({ ...written, callId: "c1" });
    expect(call(name, JSON.stringify(input))).toEqual({ ...written, callId: "c1" });
    expect(readWritten({ action: name, ...input }, OPTIONS)).toEqual(written);
  });

  it("A-01 A-03 payloads of the founding document are read as they stand there", () => {
    const steps = [{ id: "s1", title: "Read the form", status: "in_progress" }];
    const plan = { goal: "fill it", steps, assumptions: ["it has fields"], constraints: {} };
    const payload = {
      action: "load_resource",
      skill: { name: "pdf", source: "project" },
      relative_path: "references/forms.md",
      section_hint: "Fields",
      reason: "The form has fields.",
      plan_update: { replace: { ...plan, constraints: { max_turns: 8, max_tool_calls: 20 } } },
    };
    expect(actionOf(read(JSON.stringify(payload)))).toEqual({
      action: "load_resource",
      skill: { name: "pdf", source: "project" },
      relative_path: "references/forms.md",
      section_hint: "Fields",
      plan_update: payload.plan_update,
    });
    const patch = { update: [{ id: "s1", status: "completed" }], add: [{ id: "s2", title: "Go" }] };
    expect(actionOf(call("update_plan", { plan_update: { patch } }))).toEqual({
      action: "update_plan",
      plan_update: { patch: { ...patch, add: [{ id: "s2", title: "Go", status: "pending" }] } },
    });
  });
});

describe("forms that models write", () => {
  it.each<[input: unknown, skills: readonly object[]]>([
    [{ skills: ["pdf", "docx@user"] }, [PDF, { name: "docx", source: "user" }]],
    [{ skills: "pdf" }, [PDF]],
    [{ skills: "pdf, docx" }, [PDF, { name: "docx" }]],
    [{ skills: '["pdf","docx"]' }, [PDF, { name: "docx" }]],
    [{ skill: "pdf" }, [PDF]],
    [{ skill: { name: "pdf", source: null } }, [PDF]],
    [{ skill_name: "pdf" }, [PDF]],
    [{ name: "/pdf" }, [PDF]],
    [{ skills: ["/scan - a scanner"] }, [{ name: "/scan - a scanner" }]],
    [{ names: [{ skill: "pdf" }, { skill_name: "docx" }] }, [PDF, { name: "docx" }]],
    [{ skills: [{ name: "pdf", source: "project", version: 2 }] }, [{ ...PDF, source: "project" }]],
    [{ skills: [" pdf ", "", 7, null] }, [PDF]],
    ["pdf", [PDF]],
    [
      ["pdf", "docx@user"],
      [PDF, { name: "docx", source: "user" }],
    ],
  ])("A-02 select_skills %j", (input, skills) => {
    expect(actionOf(call("select_skills", input))).toEqual({ action: "select_skills", skills });
  });

  it.each<[input: object, expected: object]>([
    [{ skill: "pdf", path: "a.md" }, {}],
    [
      { skill: "pdf", file: "a.md", lines: "1-80" },
      { start_line: 1, end_line: 80 },
    ],
    [
      { skill: "pdf", path: "a.md", lines: "lines 5 to 9" },
      { start_line: 5, end_line: 9 },
    ],
    [
      { skill: "pdf", path: "a.md", lines: [5, 9] },
      { start_line: 5, end_line: 9 },
    ],
    [{ skill: "pdf", path: "a.md", lines: { start: 5 } }, { start_line: 5 }],
    [{ skill: "pdf", path: "a.md", lines: 12 }, { start_line: 12 }],
    [{ skill: "pdf", path: "a.md", lines: "all" }, {}],
    [
      { skill: "pdf", path: "a.md", start_line: "3", endLine: 4 },
      { start_line: 3, end_line: 4 },
    ],
    [{ skill: "pdf", path: "a.md", start_line: 0, end_line: -2 }, {}],
    [{ skill_name: "pdf", relative_path: "a.md", section: "Fields" }, { section_hint: "Fields" }],
    [{ skill: ["pdf"], file_path: "a.md", section_hint: null, plan_update: null }, {}],
    [{ path: "a.md" }, {}],
  ])("A-02 load_resource %j", (input, expected) => {
    expect(actionOf(call("load_resource", input, { active: ["pdf"] }))).toEqual({
      action: "load_resource",
      skill: PDF,
      relative_path: "a.md",
      ...expected,
    });
  });

  it.each<[input: object, args: readonly string[]]>([
    [{ skill: "pdf", script: "a.py" }, []],
    [{ skill: "pdf", script: "a.py", args: ["-n", 3, true] }, ["-n", "3", "true"]],
    [{ skill: "pdf", path: "a.py", args: "-n 3" }, ["-n", "3"]],
    [{ skill: "pdf", script: "a.py", args: `"two words" 'it is' x` }, ["two words", "it is", "x"]],
    [{ skill: "pdf", script: "a.py", args: String.raw`"a \"b\""` }, ['a "b"']],
    [{ skill: "pdf", script: "a.py", args: `--to="a b" '' it's` }, ["--to=a b", "", "it's"]],
    [{ skill: "pdf", script: "a.py", args: '["a b", 1]' }, ["a b", "1"]],
    [
      { skill: "pdf", script_file: "a.py", arguments: ["$(id)", "; rm -rf ~"] },
      ["$(id)", "; rm -rf ~"],
    ],
    [{ script: "a.py", args: null }, []],
  ])("A-02 run_script %j", (input, args) => {
    expect(actionOf(call("run_script", input, { active: ["pdf"] }))).toEqual({
      action: "run_script",
      skill: PDF,
      relative_path: "a.py",
      args,
    });
  });

  it("A-02 a skill that is left out is the active one, if there is only one", () => {
    const input = { script: "a.py" };
    expect(actionOf(call("run_script", input, { active: ["pdf@project"] }))).toMatchObject({
      skill: { name: "pdf", source: "project" },
    });
    for (const active of [[], ["pdf@project", "docx@user"]]) {
      expect(problem(call("run_script", input, { active }))).toBe(
        'run_script: name the skill. Right: run_script {"skill":"pdf","script":"scripts/fill.py","args":["in.pdf"]}',
      );
    }
  });

  const step = (title: string, id = "1", status = "pending") => ({ id, title, status });
  it.each<[input: object, plan: object]>([
    [{ steps: ["Read", "Fill"] }, { replace: { steps: [step("Read"), step("Fill", "2")] } }],
    [
      { steps: [{ title: "Read", status: "done" }], goal: "g" },
      { replace: { goal: "g", steps: [step("Read", "1", "completed")] } },
    ],
    [{ steps: "- Read\n2. Fill\n" }, { replace: { steps: [step("Read"), step("Fill", "2")] } }],
    [
      { plan: { steps: [{ step: "Read", state: "In Progress" }] } },
      { replace: { steps: [step("Read", "1", "in_progress")] } },
    ],
    [
      { replace: { steps: [{ id: 7, title: "Read" }] } },
      { replace: { steps: [step("Read", "7")] } },
    ],
    [{ replace: ["Read"] }, { replace: { steps: [step("Read")] } }],
    [
      { patch: { update: [{ id: 1, status: "completed" }] } },
      { patch: { update: [{ id: "1", status: "completed" }] } },
    ],
    [{ add: ["Fill"] }, { patch: { add: [step("Fill")] } }],
    [{ plan_update: { steps: ["Read"] } }, { replace: { steps: [step("Read")] } }],
    [{ goal: "g", assumptions: "one" }, { patch: { goal: "g", assumptions: ["one"] } }],
    [
      { steps: [step("a"), step("b"), { title: "c" }, { id: "1" }] },
      { replace: { steps: [step("a"), step("b", "2"), step("c", "3")] } },
    ],
  ])("A-03 update_plan %j", (input, plan_update) => {
    expect(actionOf(call("update_plan", input))).toEqual({ action: "update_plan", plan_update });
  });

  it.each<[input: object, answer: string]>([
    [{ text: "42" }, "42"],
    [{ message: "42", note: "x" }, "42"],
    [{ answer: 42 }, "42"],
    [{ answer: 0 }, "0"],
    [{ answer: false }, "false"],
    [{ answer: { total: 1 } }, '{\n  "total": 1\n}'],
  ])("A-02 final_answer %j, in both protocols", (input, answer) => {
    const expected = { action: "final_answer", answer };
    expect(actionOf(call("final_answer", input))).toEqual(expected);
    expect(actionOf(read(JSON.stringify({ action: "final_answer", ...input })))).toEqual(expected);
  });

  it.each<[text: string]>([
    ['{"name":"read_file","arguments":{"path":"a"}}'],
    ['{"function":{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}}'],
    ['{"tool":"read_file","input":{"path":"a"}}'],
    ['<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>'],
    ['{"action":"read_file","path":"a"}'],
    ['{"action":"use_tool","tool":"read_file","input":"{\\"path\\":\\"a\\"}"}'],
  ])("A-02 a call as APIs write it, in the JSON protocol: %s", (text) => {
    const expected = { action: "use_tool", tool: "read_file", input: { path: "a" } };
    expect(actionOf(read(text))).toEqual(expected);
  });

  it("A-01 a tool that is called by its own name is used, its own `action` input included", () => {
    const expected = { action: "use_tool", tool: "git", input: { action: "push" } };
    expect(actionOf(call("git", { action: "push" }, { tools: ["git"] }))).toEqual(expected);
  });

  it.each([{ steps: 7 }, "", [], 3, { replace: 1 }, { patch: null }])(
    "A-03 a plan that cannot be read never voids an action: %j",
    (plan_update) => {
      const input = { skill: "pdf", path: "a.md", plan_update };
      expect(actionOf(call("load_resource", input))).toEqual({
        action: "load_resource",
        skill: PDF,
        relative_path: "a.md",
      });
      const used = call("read_file", { path: "a", plan_update });
      expect(actionOf(used)).toEqual({
        action: "use_tool",
        tool: "read_file",
        input: { path: "a" },
      });
    },
  );
});

describe("several calls", () => {
  const calls: ModelCall[] = [
    { id: "a", name: "read_file", input: { path: "a" } },
    { id: "b", name: "nonsense", input: {} },
    { id: "c", name: "write_file", input: [] },
    { id: "d", name: "final_answer", input: { answer: "2" } },
  ];

  it("A-01 A-02 each is read by itself, in order", () => {
    expect(turn({ calls }, { protocol: "tools" })).toMatchObject([
      { callId: "a", ok: true, action: { tool: "read_file" } },
      { callId: "b", ok: false, problem: expect.stringContaining('There is no tool "nonsense"') },
      { callId: "c", ok: false, unparsed: true },
      { callId: "d", ok: true, action: { answer: "2" } },
    ]);
  });

  it.each(["length", "refused"] as const)(
    "A-02 after %s only the last can be cut off",
    (finish) => {
      const cut = (...inputs: unknown[]) => {
        const given = inputs.map((input, i) => ({ id: `c${i}`, name: "read_file", input }));
        return turn({ calls: given, finish }, { protocol: "tools" });
      };
      for (const input of [{}, null, "", '{"path":"a', '{"path":"a",}']) {
        const [first, last] = cut({}, input);
        expect(first).toMatchObject({ ok: true, callId: "c0" });
        expect(last).toMatchObject({ ok: false, unparsed: true, callId: "c1" });
        expect(problem(last as ReadCall)).toMatch(/cut off|withheld/);
      }
      expect(cut({ path: "a" })).toMatchObject([{ ok: true }]);
      const whole = [{ id: "c1", name: "read_file", input: {} }];
      expect(turn({ calls: whole, finish: "calls" })).toMatchObject([{ ok: true }]);
    },
  );
});

describe("text of a model that makes native calls", () => {
  const native = (text: string) => read(text, { protocol: "tools" });
  const answer = (text: string) => ({ action: "final_answer", answer: text });

  it.each([
    "Run scripts/a.py now!",
    'The file says {"action":"use_tool","tool":"read_file"}, so beware.',
    'It wrote <tool_call>{"name":"read_file","arguments":{}}</tool_call> and {\'action\': \'x\'}.',
    '{"total": 3, "items": []}',
    '```json\n{"name": "Ann"}\n```',
    "Action: call the office in the morning.",
    'Use it as:\n```json\n{"action":"use_tool","tool":"read_file"}\n```\nThen wait.',
    'The settings are:\n```json\n{"action":"build","on":"push"}\n```',
    'Your call ends with {"action":"use_tool","tool":"read_file"}',
  ])("A-01 is the answer: %j", (text) => {
    expect(actionOf(native(text))).toEqual(answer(text));
  });

  it("A-02 a bare decision counts, and a call as text is rejected with advice", () => {
    const bare = '```json\n{"action":"use_tool","tool":"read_file"}\n```';
    expect(native(bare)).toMatchObject({ ok: true, action: { action: "use_tool" } });
    for (const text of [
      '{"action":"use_to',
      "{'action': 'select_skills', 'skills': ['pdf']}",
      '<tool_call>{"name":"read_file","arguments":{}}</tool_call>',
      "<function_calls>",
      'I load the skill first.\n\n```json\n{"action":"select_skills","skills":["pdf"]}\n```',
      'Now the file.\n{\n  "name": "read_file",\n  "arguments": { "path": "a.txt" }\n}\n',
    ]) {
      expect(problem(native(text))).toContain("Make it as a tool call");
      expect(isUnparsed(native(text))).toBe(true);
    }
  });
});

describe("text of a model that writes JSON", () => {
  const SCRIPT = '{"action":"run_script","skill":"pdf","script":"a.py"}';
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
    expect(actionOf(read(`Well. <think>${SCRIPT}?</think> ${DONE}`))).toMatchObject({
      answer: "no",
    });
    expect(actionOf(read('{"action":"final_answer","answer":"write <think>"}'))).toMatchObject({
      answer: "write <think>",
    });
    expect(actionOf(read('<think>maybe {"action":"run_script"}</think>42'))).toMatchObject({
      answer: "42",
    });
  });

  it.each([
    ["two that differ", `I would never do ${SCRIPT}, but ${DONE}`],
    ["two objects and nothing else", `${SCRIPT}\n${DONE}`],
    ["one that is cut off", `${SCRIPT} or ${DONE.slice(0, -4)}`],
    ["one that is broken", `${SCRIPT} or {"action":"final_answer" "answer":"no"}`],
    ["one behind many braces", `${SCRIPT} ${"{x} ".repeat(30)} ${DONE}`],
  ])("A-02 P-01 of several decisions none is done: %s", (_, text) => {
    expect(problem(read(text))).toContain("more than one action");
    expect(isUnparsed(read(text))).toBe(true);
  });

  it("A-02 one decision in prose is done, also when it is repeated", () => {
    expect(read(`I do ${SCRIPT}, that is: ${SCRIPT}`)).toMatchObject({
      action: { action: "run_script" },
    });
  });

  it.each([
    ['The result is {"total": 3}.', "an object of another kind"],
    ["Sure: {'action': 'select_skills', 'skills': ['pdf']}", "single quotes"],
    ['Here: {action: "final_answer", answer: "42"}', "names without quotes"],
    ['So: <tool_call>{"name":"sele', "a call in tags that is cut off"],
    ['Thought: read it\nAction: read_file\nAction Input: {"path":"a"}', "lines"],
    ['Here: {"action": "final_answer", "answer": "4', "an object that never ends"],
    ['{"answer":"no action"}', "no action"],
    ['```json\n{"answer":"x"}\n```', "no action in a fence"],
  ])("A-02 prose around an object is never an answer: %j, %s", (text) => {
    expect(problem(read(text))).toContain("not one complete JSON object");
    expect(isUnparsed(read(text))).toBe(true);
  });

  it.each(["Action: call the office in the morning.", "The transaction: 5 EUR.", "42"])(
    "A-02 prose without an object is an answer: %j",
    (text) => {
      expect(actionOf(read(text))).toEqual({ action: "final_answer", answer: text });
    },
  );

  it("A-02 no prose with an object in it is ever an answer", () => {
    const prose = fc.string({ maxLength: 40 });
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(prose, object, prose, (before, value, after) => {
        const result = read(`${before}${JSON.stringify(value)}${after}`);
        const isAnswer = result.ok && result.action.action === "final_answer";
        // What is in thoughts is gone before anything is read.
        expect(isAnswer && !before.includes("<think")).toBe(false);
      }),
    );
  });

  it.each(["json", "tools"] as const)("A-02 %s: an unfinished text is rejected", (protocol) => {
    const cut = (text: string, finish: "length" | "refused") =>
      turn({ text, finish }, { protocol })[0] as ReadCall;
    for (const text of ["", "The first half of", '{"action":"final_answer","answer":"The']) {
      expect(problem(cut(text, "length"))).toContain("cut off");
      expect(problem(cut(text, "refused"))).toContain("withheld");
      expect(isUnparsed(cut(text, "length"))).toBe(true);
    }
    expect(cut(DONE, "length")).toMatchObject({ ok: true });
    expect(cut(DONE, "refused")).toMatchObject({ ok: true });
    expect(problem(read(" \n", { protocol }))).toContain("empty");
  });
});

describe("errors", () => {
  it.each<[name: string, input: object, expected: string]>([
    [
      "select_skills",
      {},
      'select_skills: name at least one skill. Right: select_skills {"skills":["pdf"]}',
    ],
    ["unload_skill", {}, 'unload_skill: name the skill. Right: unload_skill {"skill":"pdf"}'],
    [
      "load_resource",
      { skill: "pdf" },
      'load_resource: give the file under `path`. Right: load_resource {"skill":"pdf","path":"references/forms.md"}',
    ],
    [
      "run_script",
      { skill: "pdf", script: "a.py", args: { x: 1 } },
      'run_script: `args` has to be a list of texts. Right: run_script {"skill":"pdf","script":"scripts/fill.py","args":["in.pdf"]}',
    ],
    [
      "use_tool",
      { tool: "read_file", input: 3 },
      'use_tool: `input` has to be an object. Right: use_tool {"tool":"read_file","input":{"path":"a.txt"}}',
    ],
    [
      "update_plan",
      { steps: [] },
      'update_plan: give the steps. Right: update_plan {"steps":[{"title":"Read the form","status":"in_progress"}]}',
    ],
    [
      "final_answer",
      { answer: " " },
      'final_answer: the answer is empty. Right: final_answer {"answer":"…"}',
    ],
  ])("A-02 %s %j: one sentence, and the right form once", (name, input, expected) => {
    const result = call(name, input);
    expect(problem(result)).toBe(expected);
    expect(isUnparsed(result)).toBe(false);
  });

  it.each([[[]], [3], ["not json"], [true]])(
    "A-02 arguments that are not an object are unparsable: %j",
    (input) => {
      const result = call("final_answer", input);
      expect(problem(result)).toBe(
        'The arguments of "final_answer" are not a JSON object. Right: final_answer {"answer":"…"}',
      );
      expect(isUnparsed(result)).toBe(true);
    },
  );

  it("A-02 so are those of a tool, whose right form follows from its schema", () => {
    const properties = { path: { type: "string" }, words: { type: "array" }, n: {} };
    const inputSchema = { type: "object", properties, required: ["path", "words"] };
    const options = {
      schemaOf: (name: string) => (name === "read_file" ? inputSchema : undefined),
    };
    const right = 'Right: read_file {"path":"…","words":["…"]}';
    expect(problem(call("ReadFile", "{path: a", options))).toBe(
      `The arguments of "ReadFile" are not a JSON object. ${right}`,
    );
    expect(problem(call("nothing", 3, options))).not.toContain("Right:");
  });

  it("A-02 a tool is also found by another spelling, or by the name other agents have for it", () => {
    for (const [name, tool] of [
      ["ReadFile", "read_file"],
      ["read-file", "read_file"],
      ["Read", "read_file"],
      ["Write", "write_file"],
    ] as const) {
      expect(call(name, { path: "a" })).toMatchObject({ action: { action: "use_tool", tool } });
    }
    expect(call("SelectSkills", { skills: "pdf" })).toMatchObject({
      action: { action: "select_skills" },
    });
    // A tool that is not offered is not called by any name.
    expect(problem(call("Bash", { command: "ls" }))).toContain('There is no tool "Bash".');
    expect(problem(call("__proto__", {}))).toContain("There is no tool");
  });

  it("A-02 an unknown name gets near names, or the list; it was readable, so it is no parse error", () => {
    expect(problem(call("select_skill", {}))).toBe(
      'There is no tool "select_skill". Did you mean select_skills?',
    );
    expect(problem(read('{"action":"use_tool","tool":"reed_file"}'))).toBe(
      'There is no tool "reed_file". Did you mean read_file?',
    );
    const actions = "select_skills, load_resource, run_script, unload_skill, update_plan";
    expect(problem(call("zzzzzz", {}))).toBe(
      `There is no tool "zzzzzz". There are: ${actions}, read_file, write_file.`,
    );
    expect(problem(read('{"action":"zzzzzz"}'))).toContain(`${actions}, final_answer, read_file`);
    expect(problem(call("x".repeat(100_000), {})).length).toBeLessThan(500);
    expect(isUnparsed(call("zzzzzz", {}))).toBe(false);
    expect(problem(read('{"action":7}'))).toBe("Give the name of the action under `action`.");
  });

  it("A-02 a script that cannot be run here is rejected", () => {
    const result = call("run_script", { skill: "pdf", script: "a.py" }, { canRun: false });
    expect(problem(result)).toContain("cannot be run here");
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "A-02 %s is no action, although every object has it",
    (name) => {
      for (const result of [
        read(JSON.stringify({ action: name })),
        call(name, {}),
        read(JSON.stringify({ action: "use_tool", tool: name })),
      ]) {
        expect(problem(result)).toContain("There is no tool");
      }
    },
  );

  it("A-02 inherited properties are never read, own ones stay plain data", () => {
    const hostile = (text: string) => JSON.parse(text) as object;
    expect(problem(call("final_answer", hostile('{"__proto__":{"answer":"x"}}')))).not.toBe("");
    const result = call("read_file", hostile('{"__proto__":{"isAdmin":true},"path":"a"}'));
    const given = result.ok && result.action.action === "use_tool" ? result.action.input : {};
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
    expect((given as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(given["path"]).toBe("a");
  });

  it("A-02 whatever comes, every call gets exactly one reading", () => {
    const name = fc.oneof(fc.string(), fc.constantFrom("select_skills", "run_script", "read_file"));
    const input = fc.anything({ maxDepth: 3, withNullPrototype: true, withMap: true });
    const any = fc.record({ id: fc.string(), name, input });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), fc.string(), (calls, text) => {
        const results = turn({ calls, text }, { protocol: "tools" });
        expect(results.length).toBe(Math.max(1, calls.length));
        expect(results.some((result) => !result.ok && result.problem === "")).toBe(false);
      }),
    );
  });
});

describe("what a model is offered", () => {
  const names = (protocol: "json" | "tools", more: object = {}) =>
    actionDefinitions({ tools: [], canRun: true, protocol, ...more }).map(({ name }) => name);

  it("A-01 final_answer only where text is not the answer already", () => {
    const common = ["select_skills", "load_resource", "run_script", "unload_skill", "update_plan"];
    expect(names("tools")).toEqual(common);
    expect(names("json")).toEqual([...common, "final_answer"]);
    expect(names("tools", { canRun: false })).not.toContain("run_script");
    const answer = { type: "object", properties: { total: { type: "number" } } };
    expect(names("tools", { answer })).toEqual([...common, "final_answer"]);
  });

  it("A-09 the schemas are flat and short: every request carries them", () => {
    const definitions = actionDefinitions({ tools: [], canRun: true, protocol: "json" });
    expect(JSON.stringify(definitions).length).toBeLessThan(2500);
  });
});
