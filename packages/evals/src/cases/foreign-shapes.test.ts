import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readCases } from "./index.ts";

const SKILL = "---\nname: pdf\ndescription: Reads PDFs.\n---\n";

async function readOne(
  name: string,
  content: unknown,
  others: Readonly<Record<string, string>> = {},
) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  const folder = temporaryFolder({ "pdf/SKILL.md": SKILL, [`pdf/evals/${name}`]: text, ...others });
  return { folder, ...(await readCases(join(folder, "pdf"))) };
}

type Problems = Awaited<ReturnType<typeof readCases>>["problems"];
const told = (problems: Problems) =>
  problems.map(({ severity, message }) => `${severity}: ${message}`);

describe("evals.json", () => {
  const evals = (item: Readonly<Record<string, unknown>>, files = {}) =>
    readOne("evals.json", { skill_name: "pdf", evals: [{ id: 1, prompt: "Go", ...item }] }, files);

  it.each<[Readonly<Record<string, unknown>>, unknown]>([
    [{ should_trigger: "yes" }, { used: ["pdf"], unused: [], only: false }],
    [{ should_trigger: "no" }, { used: [], unused: ["pdf"], only: false }],
    [{ should_trigger: "csv" }, { used: ["csv"], unused: [], only: false }],
    [{ expected_trigger: true }, { used: ["pdf"], unused: [], only: false }],
    [{ expected_skill: null }, { used: [], unused: [], only: true }],
    [
      { should_trigger: false, expected_skill: "csv" },
      { used: ["csv"], unused: ["pdf"], only: false },
    ],
    [{ forbidden_skills: ["csv"] }, { used: [], unused: ["csv"], only: false }],
  ])("E-01 says which skills it wants with %j", async (item, skills) => {
    const { cases, problems } = await evals(item);
    expect(told(problems)).toEqual([]);
    expect(cases[0]?.expected.skills).toEqual(skills);
  });

  it("E-01 a label that is about no skill is an error, not nothing", async () => {
    const folder = temporaryFolder({
      "evals.json": JSON.stringify([{ id: 1, prompt: "Go", should_trigger: true }]),
    });
    const { cases, problems } = await readCases(join(folder, "evals.json"));
    expect(cases).toEqual([]);
    expect(told(problems)).toEqual(["error: it is not said which skill it is about"]);
  });

  const readFiles = (files: unknown) => evals({ files }, { "pdf/evals/files/a.txt": "a" });

  it.each<[unknown, readonly unknown[]]>([
    ["evals/files/a.txt", [{ path: "a.txt" }]],
    [["evals/files/a.txt"], [{ path: "a.txt" }]],
    [{ "b.txt": "b" }, [{ path: "b.txt", content: "b" }]],
    [
      { path: "c.txt", source: "evals/files/a.txt" },
      [{ path: "c.txt", from: expect.stringMatching(/a\.txt$/) }],
    ],
    [[{ path: "evals/files/a.txt", dest: "d.txt" }], [{ path: "d.txt" }]],
    [null, []],
  ])("E-01 files in the shape %j are read", async (files, expected) => {
    const { cases, problems } = await readFiles(files);
    expect(told(problems)).toEqual([]);
    expect(cases[0]?.files).toMatchObject(expected);
  });

  it.each([[[{ url: "a.txt" }]], [[5]], [5]])(
    "E-01 files in the shape %j are an error, not none",
    async (files) => {
      const { cases, problems } = await readFiles(files);
      expect(cases).toEqual([]);
      expect(problems).toMatchObject([{ code: "case-invalid", severity: "error" }]);
    },
  );

  it.each<[Readonly<Record<string, unknown>>, readonly string[] | undefined]>([
    [{ expected_output: "A form" }, ["A form"]],
    [{ expected_output: 42 }, ["42"]],
    [{ expected: ["one", "two"] }, ["one", "two"]],
    [{ assertions: "It is filled" }, ["It is filled"]],
    [{ expectations: ["It is filled"], expected_output: "A form" }, ["It is filled"]],
    [{ expected: { output: ["42"] } }, undefined],
    [{ expected_output: [{ a: 1 }] }, undefined],
  ])("E-01 what it should be like, as in %j, is read, or an error", async (item, statements) => {
    const { cases, problems } = await evals(item);
    expect(cases.map(({ expected }) => expected.statements)).toEqual(
      statements === undefined ? [] : [statements],
    );
    expect(problems.map(({ severity }) => severity)).toEqual(
      statements === undefined ? ["error"] : [],
    );
  });

  it("E-01 reads all lists of cases, and tells of others", async () => {
    const { cases, problems } = await readOne("evals.json", {
      evals: [{ id: 1, prompt: "Go" }],
      cases: [{ id: 2, prompt: "Go on" }],
      trigger_evals: [{ query: "Go off", should_trigger: false }],
    });
    expect(cases.map(({ id }) => id)).toEqual(["pdf/1", "pdf/2"]);
    expect(told(problems)).toEqual([
      "warning: trigger_evals is not read: put it into a file of its own",
    ]);
  });

  it("E-01 scenarios with a setup, limits and checks of their own", async () => {
    const scenarios = [
      {
        name: "fills",
        prompt: "Fill it",
        setup: { files: [{ path: "a.txt", content: "a" }], commands: ["make"] },
        assertions: [{ type: "output_contains", value: "done" }],
        rubric: ["It is kind"],
        timeout: 90,
        expect_tools: ["bash"],
        reject_tools: ["Write"],
        max_turns: 4,
        expect_activation: true,
      },
    ];
    const { cases, problems } = await readOne("eval.yaml", { scenarios });
    expect(told(problems)).toEqual(["warning: setup.commands is not prepared here"]);
    expect(cases).toMatchObject([
      {
        id: "pdf/fills",
        files: [{ path: "a.txt", content: "a" }],
        timeoutMs: 90_000,
        expected: {
          skills: { used: ["pdf"] },
          output: [{ type: "contains", value: "done" }],
          statements: ["It is kind"],
        },
        constraints: { maxTurns: 4, requiredTools: ["bash"], forbiddenTools: ["write_file"] },
      },
    ]);
  });

  it("E-01 a constraint that is not known keeps the case from passing, and a wrong number is told", async () => {
    const { cases, problems } = await evals({
      constraints: { max_turns: 3, max_jumps: 1 },
      runs: 5000,
      timeout: "soon",
    });
    expect(told(problems)).toEqual([
      "warning: the constraint max_jumps cannot be checked here",
      "warning: timeout is not a time such as 30s, and is left out",
      "warning: runs is not a whole number from 1 to 1000, and is left out",
    ]);
    expect(cases[0]).toMatchObject({
      constraints: { maxTurns: 3 },
      expected: { unsupported: [{ text: "the constraint max_jumps cannot be checked here" }] },
    });
    expect(cases[0]).not.toHaveProperty("trials");
  });
});

describe("trigger sets", () => {
  it("E-01 keep what a request expects beside the skill", async () => {
    const { cases, problems } = await readOne(
      "trigger-evals.json",
      [
        {
          query: "Fill form.txt",
          should_trigger: true,
          files: ["evals/files/form.txt"],
          expectations: ["It is filled", { type: "contains", value: "done" }],
        },
        { question: "Go", expected_skill: "pdf", expected_script: "fill.py", ground_truth: "42" },
      ],
      { "pdf/evals/files/form.txt": "x" },
    );
    expect(told(problems)).toEqual([]);
    expect(cases).toMatchObject([
      {
        files: [{ path: "form.txt" }],
        expected: {
          skills: { used: ["pdf"] },
          output: [{ type: "contains", value: "done" }],
          statements: ["It is filled"],
        },
      },
      { expected: { sequence: ['run "*fill.py"'], statements: ["42"] } },
    ]);
  });

  it("E-01 a list of requests under a name that says nothing is told, words are not", async () => {
    const { cases, problems } = await readOne("triggers.json", {
      should_trigger: ["Fill the form"],
      edge_cases: ["Fill the pool", "Form a line"],
      keywords: ["fill in", "a form"],
      _comment: ["made by hand, by me"],
    });
    expect(cases).toHaveLength(1);
    expect(problems).toMatchObject([
      { severity: "warning", line: 5, message: expect.stringContaining("edge_cases is not read") },
    ]);
  });

  it.each<[unknown, readonly string[]]>([
    [{ trigger_eval: { should_trigger: ["Go on"] } }, ["+pdf"]],
    [{ csv: { should_trigger: ["Go on"] } }, ["+csv"]],
    [{ "unit-tests": { should_trigger: ["Go on"] } }, ["+unit-tests"]],
    [{ skills: { csv: { should_trigger: ["Go on"] } } }, ["+csv"]],
    [{ skills: [{ name: "csv", should_not_trigger: ["Go on"] }] }, ["-csv"]],
    [
      {
        cases: [{ query: "Go on", should_trigger: true }],
        hard: [{ query: "Go off", should_trigger: false }],
        more: [{ title: "x", cases: [{ query: "Go up", should_trigger: true }] }],
      },
      ["+pdf", "-pdf", "+pdf"],
    ],
  ])(
    "E-01 takes no wrapper for a skill, and no skill for a wrapper: %j",
    async (file, expected) => {
      const { cases, problems } = await readOne("triggers.json", file);
      expect(told(problems)).toEqual([]);
      const found = cases.map(({ expected: { skills } }) =>
        [
          ...(skills?.used ?? []).map((one) => `+${one}`),
          ...(skills?.unused ?? []).map((one) => `-${one}`),
        ].join(),
      );
      expect(found).toEqual(expected);
    },
  );

  it("E-01 a route that is no name is an error", async () => {
    const { cases, problems } = await readOne("routing.json", {
      cases: [
        { prompt: "a", expected_skill: { name: "pdf" } },
        { prompt: "b", expected_skills: [] },
      ],
    });
    expect(cases.map(({ expected }) => expected.skills)).toEqual([
      { used: [], unused: [], only: true },
    ]);
    expect(told(problems)).toEqual(["error: the skill that it should trigger is no name"]);
  });
});

describe("waza", () => {
  const waza = (task: Readonly<Record<string, unknown>>, suite = {}) =>
    readOne("eval.yaml", { ...suite, tasks: [{ id: "a", inputs: { prompt: "Go" }, ...task }] });

  it("E-01 outcomes and tool calls in all their shapes", async () => {
    const { cases, problems } = await waza({
      expected: {
        outcomes: ["It is filled", { type: "file", value: "a.pdf" }],
        tool_calls: { required: [{ tool: "bash", command_pattern: "make" }], forbidden: ["Write"] },
      },
    });
    expect(told(problems)).toEqual([]);
    expect(cases[0]).toMatchObject({
      expected: {
        statements: ["It is filled", "file a.pdf"],
        sequence: ['use "bash" where input.command matches /make/'],
      },
      constraints: { forbiddenTools: ["write_file"] },
    });
  });

  it.each([
    [{ expected: { tool_calls: { required: [{ name: "bash", skill: "pdf" }] } } }, "tool calls"],
    [{ expected: { behavior: { max_jumps: 1 } } }, "the constraint max_jumps"],
    [{ expected: { tone: "kind" } }, "tone"],
    [
      { graders: [{ type: "text", config: { contains: ["a"], fuzzy: true } }] },
      "the grader text cannot be run here",
    ],
    [
      { graders: [{ type: "behavior", config: { max_turns: 1, max_jumps: 1 } }] },
      "the grader behavior cannot be run here",
    ],
    [
      { graders: [{ type: "tool_constraint", config: { expect_tools: ["a"], order: "x" } }] },
      "the grader tool_constraint cannot be run here",
    ],
  ])("E-01 what is not known of %j keeps the case from passing", async (task, text) => {
    const { cases, problems } = await waza(task);
    expect(problems).toMatchObject([{ code: "grader-unsupported", severity: "warning" }]);
    expect(cases[0]?.expected.unsupported).toMatchObject([
      { text: expect.stringContaining(text) as string },
    ]);
  });

  it("E-01 what an agent would get elsewhere is told, and a prompt with variables is an error", async () => {
    const inputs = { prompt: "Go", context: { language: "en" }, environment: { A: "1" } };
    const { cases, problems } = await waza({ inputs }, { hooks: { before: ["make"] } });
    expect(cases).toHaveLength(1);
    expect(told(problems)).toEqual([
      "warning: hooks are not run: whatever they prepare is not there",
      expect.stringContaining("inputs.context is not used here"),
      expect.stringContaining("inputs.environment is not used here"),
    ]);
    const filled = await waza({ inputs: { prompt: "Go to {{ .Vars.place }}" } });
    expect(filled.cases).toEqual([]);
    expect(told(filled.problems)).toEqual(["error: a prompt with variables is not filled in here"]);
  });

  it("E-01 a task pattern stays in its folder, and what is not looked at is told", async () => {
    const task = (id: string) => `id: ${id}\ninputs: { prompt: Go ${id} }\n`;
    const folder = temporaryFolder({
      "pdf/SKILL.md": SKILL,
      "pdf/evals/eval.yaml": "tasks:\n  - tasks/*.yaml\n  - more/**/*.yaml\n",
      "pdf/evals/tasks/a.yaml": task("a"),
      "pdf/evals/tasks/old/b.yaml": task("b"),
      "pdf/evals/more/c.yaml": task("c"),
      "pdf/evals/more/1/2/d.yaml": task("d"),
      "pdf/evals/more/1/2/3/4/5/e.yaml": task("e"),
      "elsewhere.yaml": task("f"),
    });
    symlinkSync(join(folder, "elsewhere.yaml"), join(folder, "pdf/evals/tasks/link.yaml"));
    const { cases, problems } = await readCases(join(folder, "pdf/evals/eval.yaml"));
    expect(cases.map(({ id }) => id)).toEqual(["pdf/a", "pdf/d", "pdf/c"]);
    expect(problems).toMatchObject([
      { severity: "warning", message: expect.stringContaining("more/1/2/3/4: it is nested") },
      { severity: "warning", line: 2, message: expect.stringContaining("tasks/link.yaml is a li") },
    ]);
  });
});

describe("vally", () => {
  const vally = (stimulus: Readonly<Record<string, unknown>>, root = {}, files = {}) =>
    readOne("eval.yaml", { ...root, stimuli: [{ name: "a", prompt: "Go", ...stimulus }] }, files);

  it("E-01 takes files of the suite and of the stimulus, and a rubric that no grader asks for", async () => {
    const { cases, problems } = await vally(
      { environment: { files: [{ src: "b.txt", dest: "in/b.txt" }] }, rubric: ["It is kind"] },
      { environment: { files: [{ path: "a.txt", content: "a" }], commands: ["make"] } },
      { "pdf/evals/b.txt": "b" },
    );
    expect(told(problems)).toEqual(["warning: environment.commands is not prepared here"]);
    expect(cases[0]).toMatchObject({
      files: [{ path: "a.txt", content: "a" }, { path: "in/b.txt" }],
      expected: { statements: ["It is kind"] },
    });
  });

  it("E-01 scoring and constraints that are not known are told", async () => {
    const { cases, problems } = await vally(
      { constraints: { max_turns: 2, max_jumps: 1 } },
      { scoring: { threshold: 0.5 } },
    );
    expect(told(problems)).toEqual([
      "warning: scoring is not used here: every grader has to pass",
      "warning: the constraint max_jumps cannot be checked here",
    ]);
    expect(cases[0]?.expected.unsupported).toHaveLength(1);
  });

  it.each([
    { type: "output-contains", config: { substring: "a", fuzzy: true } },
    { type: "output-contains", config: { substring: "a" }, negate: true },
    { type: "tool-calls", config: { required: [{ name: "a", times: 3 }] } },
  ])("E-01 a grader that says more than is known stays unjudged: %j", async (grader) => {
    const { cases } = await vally({ graders: [grader] });
    expect(cases[0]?.expected.unsupported).toHaveLength(1);
  });
});

describe("graders of a case", () => {
  it("E-01 arguments that name files which the grader cannot see are told", async () => {
    const script = (args: readonly string[]) => ({ type: "script", file: "check.mjs", args });
    const { cases, problems } = await readOne(
      "cases.json",
      [
        {
          id: "a",
          input: "go",
          files: ["input.json"],
          expected: {
            output: [
              script(["--expected=expected.json", "../data/x.csv", "input.json", "out.txt"]),
            ],
          },
        },
      ],
      {
        "pdf/evals/check.mjs": "",
        "pdf/evals/expected.json": "{}",
        "pdf/evals/input.json": "{}",
      },
    );
    expect(cases).toHaveLength(1);
    const own = problems.filter(({ code }) => code === "case-file-refused");
    expect(told(own)).toEqual([
      expect.stringMatching(/^warning: .* cannot see expected\.json: it starts in the working/),
      expect.stringMatching(/^warning: .* cannot see \.\.\/data\/x\.csv/),
    ]);
  });

  it("E-01 one that lies outside of the skill is an error in every dialect", async () => {
    const outside = "../../outside.py";
    const program = { type: "program", config: { program: outside, command: outside } };
    const suites: readonly (readonly [string, unknown])[] = [
      ["eval.yaml", { stimuli: [{ name: "a", prompt: "Go", graders: [program] }] }],
      ["eval.yaml", { tasks: [{ id: "a", inputs: { prompt: "Go" }, graders: [program] }] }],
      ["evals.json", [{ id: 1, prompt: "Go", assertions: [{ type: "script", file: outside }] }]],
    ];
    for (const [name, content] of suites) {
      const { cases, problems } = await readOne(name, content, { "outside.py": "" });
      expect(cases).toEqual([]);
      expect(problems).toMatchObject([{ code: "case-file-missing", severity: "error" }]);
    }
  });
});

it("E-01 a case deep below evals knows its skill", async () => {
  const { cases } = await readOne("a/b/c/evals.json", [{ id: 1, prompt: "Go" }]);
  expect(cases).toMatchObject([{ id: "pdf/1", origin: { skill: "pdf" } }]);
});
