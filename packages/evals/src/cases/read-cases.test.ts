import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readCases } from "./index.ts";

const SKILL = "---\nname: pdf\ndescription: Reads PDFs.\n---\n";

/** Cases of one file in the evals folder of the skill pdf. */
async function readOne(
  name: string,
  content: unknown,
  others: Readonly<Record<string, string>> = {},
) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  const folder = temporaryFolder({ "pdf/SKILL.md": SKILL, [`pdf/evals/${name}`]: text, ...others });
  return { folder, ...(await readCases(join(folder, "pdf"))) };
}

/** Input and expected skills: `+` used, `-` unused, `!` no other. */
function triggers(cases: Awaited<ReturnType<typeof readCases>>["cases"]): string[] {
  return cases.map(({ input, expected: { skills } }) => {
    const used = skills?.used.map((name) => `+${name}`) ?? ["?"];
    const unused = skills?.unused.map((name) => `-${name}`) ?? [];
    return [input, ...used, ...unused, ...(skills?.only === true ? ["!"] : [])].join(" ");
  });
}

describe("our own format", () => {
  it("E-01 reads every field, in YAML", async () => {
    const { folder, cases, problems } = await readOne(
      "merge.eval.yaml",
      `skill: pdf
defaults:
  tags: [smoke]
  constraints: { maxToolCalls: 9, forbidden_tools: [write_file] }
cases:
  - id: merge
    title: Merge two
    input: Merge a.pdf and b.pdf
    files:
      - data/a.pdf
      - { path: b.pdf, content: two }
    expected:
      skills: [pdf]
      sequence:
        - select pdf before run pdf/*
      output:
        - merged
        - { type: file_exists, path: out.pdf, label: There is a file }
        - { type: number, value: 2, not: true }
      statements: It is polite.
    constraints: { max_tool_calls: 5, maxTime: 2m }
    mock:
      actions:
        - { action: final_answer, answer: merged }
    trials: 3
    timeout: 30
    tags: [slow]
`,
      { "pdf/evals/data/a.pdf": "one" },
    );
    expect(problems).toEqual([]);
    expect(cases).toEqual([
      {
        id: "pdf/merge",
        title: "Merge two",
        input: "Merge a.pdf and b.pdf",
        files: [
          { path: "data/a.pdf", from: join(folder, "pdf/evals/data/a.pdf") },
          { path: "b.pdf", content: "two" },
        ],
        expected: {
          skills: { used: ["pdf"], unused: [], only: false },
          sequence: ["select pdf before run pdf/*"],
          output: [
            { type: "contains", value: "merged" },
            { type: "file-exists", path: "out.pdf", label: "There is a file" },
            { type: "number", value: 2, tolerance: 0, not: true },
          ],
          statements: ["It is polite."],
        },
        constraints: {
          maxToolCalls: 5,
          maxTimeMs: 120_000,
          forbiddenTools: ["write_file"],
          requiredTools: [],
        },
        mock: { actions: [{ action: "final_answer", answer: "merged" }] },
        trials: 3,
        timeoutMs: 30_000,
        tags: ["smoke", "slow"],
        origin: {
          file: join(folder, "pdf/evals/merge.eval.yaml"),
          line: 6,
          dialect: "skillwright",
          skill: "pdf",
        },
      },
    ]);
  });

  it.each([
    ["none", { used: [], unused: [], only: true }],
    [[], { used: [], unused: [], only: true }],
    ["pdf", { used: ["pdf"], unused: [], only: false }],
    [["a", "b"], { used: ["a", "b"], unused: [], only: false }],
    [{ unused: ["a"] }, { used: [], unused: ["a"], only: false }],
    [
      { used: ["a"], only: true },
      { used: ["a"], unused: [], only: true },
    ],
  ])("E-01 reads expected.skills: %j", async (skills, expected) => {
    const { cases } = await readOne("cases.json", [{ input: "go", expected: { skills } }]);
    expect(cases[0]?.expected.skills).toEqual(expected);
  });

  it("E-01 a case that cannot be read is an error with its line, and the others are kept", async () => {
    const { folder, cases, problems } = await readOne(
      "cases.yaml",
      `cases:
  - input: good
    expected: { output: yes }
  - id: typo
    input: bad
    expcted: {}
  - input: worse
    expected:
      sequence:
        - select pdf
        - select pdf befor run x
  - input: a
    expected: { output: [{ type: regex, pattern: "(" }] }
  - input: b
    expected: { output: [{ type: json-path, path: total }] }
  - input: c
    timeout: soon
  - id: 1
    input: same id
    expected: {}
`,
    );
    const file = join(folder, "pdf/evals/cases.yaml");
    expect(cases.map(({ input }) => input)).toEqual(["good"]);
    expect(problems.map(({ line, code, file: at }) => [line, code, at === file])).toEqual([
      [6, "case-invalid", true],
      [17, "case-invalid", true],
      [11, "sequence-invalid", true],
      [13, "case-invalid", true],
      [15, "case-invalid", true],
      [18, "id-duplicate", true],
    ]);
    expect(problems[2]?.message).toContain("column 12: did not expect `befor`");
  });
});

describe("evals.json", () => {
  it("E-01 reads both dialects, and assertions of all shapes", async () => {
    const { cases, problems } = await readOne("evals.json", {
      skill_name: "pdf",
      evals: [
        {
          id: 1,
          prompt: "Merge",
          expected_output: "one file",
          should_trigger: true,
          expectations: ["It has 3 pages", { id: "a", text: "It is signed" }],
        },
        {
          id: "x",
          prompt: "Split",
          assertions: [
            { text: "says two", type: "contains", value: "two" },
            { type: "not_contains", value: "sorry", description: "does not say sorry" },
            { type: "regex", pattern: "(?i)^OK" },
            { type: "file_exists", path: "out/a.pdf" },
            { type: "file_not_exists", path: "tmp" },
            { type: "contains_all", values: ["a", "b"] },
            { type: "contains_any", values: ["a.b", "c"] },
            { type: "json_path", path: "$.n", value: 3 },
            { type: "tool_not_used", value: "Write" },
            { type: "skill_used", skill: "pdf" },
            { type: "llm", text: "It is kind" },
            { type: "contains", text: "It contains the sum" },
          ],
        },
        { prompt: "Rotate", expected_output: "a rotated file" },
      ],
    });
    expect(problems).toEqual([]);
    expect(cases.map(({ id }) => id)).toEqual(["pdf/1", "pdf/x", "pdf/case-3"]);
    expect(cases[0]?.expected).toEqual({
      skills: { used: ["pdf"], unused: [], only: false },
      sequence: [],
      output: [],
      statements: ["It has 3 pages", "It is signed"],
    });
    expect(cases[1]?.expected).toEqual({
      skills: { used: ["pdf"], unused: [], only: false },
      sequence: [],
      output: [
        { type: "contains", value: "two", label: "says two" },
        { type: "contains", value: "sorry", label: "does not say sorry", not: true },
        { type: "regex", pattern: "(?i)^OK" },
        { type: "file-exists", path: "out/a.pdf" },
        { type: "file-exists", path: "tmp", not: true },
        { type: "contains", value: "a" },
        { type: "contains", value: "b" },
        { type: "regex", pattern: "a\\.b|c" },
        { type: "json-path", path: "$.n", equals: 3 },
      ],
      statements: ["It is kind", "It contains the sum"],
    });
    expect(cases[1]?.constraints.forbiddenTools).toEqual(["write_file"]);
    expect(cases[2]?.expected).toEqual({
      sequence: [],
      output: [],
      statements: ["a rotated file"],
    });
  });

  it.each<[unknown, string]>([
    [[{ type: "regex", value: "(" }], "assertions.0: Invalid regular expression"],
    [[{ type: "regex", pattern: "(?<=x", text: "It matches" }], "assertions.0: Invalid regular"],
    [["fine", { type: "contains" }], "assertions.1: contains is not known, or lacks"],
    [[{ type: "contains_any", values: [] }], "assertions.0: contains_any is not known, or lacks"],
    [[{ type: "file_contains", path: "x" }], "assertions.0: file_contains is not known, or lacks"],
    [[{ type: "number", value: 1, pattern: "(" }], "assertions.0: Invalid regular expression"],
    [[{ type: "guess", value: "x" }], "assertions.0: guess is not known, or lacks"],
    [[{ odd: true }], "assertions.0: the assertion says nothing"],
    [[5], "assertions.0: the assertion says nothing"],
    [[null], "assertions.0: the assertion says nothing"],
    [[" "], "assertions.0: the assertion says nothing"],
    [5, "assertions: expected a list"],
    [{ a: "says it" }, "assertions: expected a list"],
  ])("E-01 assertions that cannot be read are an error: %j", async (assertions, message) => {
    const { cases, problems } = await readOne("evals.json", [
      { id: "bad", prompt: "Go", assertions },
      { id: "good", prompt: "Go", assertions: null },
    ]);
    expect(cases.map(({ id }) => id)).toEqual(["pdf/good"]);
    expect(problems).toMatchObject([{ code: "case-invalid", severity: "error" }]);
    expect(problems[0]?.message).toContain(message);
  });

  it("E-01 reads a bare list, and what our format adds", async () => {
    const { cases, problems } = await readOne("evals.json", [
      {
        prompt: "Go",
        assertions: ["done"],
        sequence: ["select pdf"],
        constraints: { max_tool_calls: 2 },
        mock: { actions: [{ action: "final_answer", answer: "x" }] },
      },
      { id: 2 },
    ]);
    expect(problems).toMatchObject([
      { code: "case-invalid", line: 22, message: "a case needs a prompt" },
    ]);
    expect(cases).toMatchObject([
      {
        id: "pdf/case-1",
        expected: { sequence: ["select pdf"], statements: ["done"] },
        constraints: { maxToolCalls: 2 },
        mock: { actions: [{ action: "final_answer" }] },
      },
    ]);
    expect(cases[0]?.expected.skills).toBeUndefined();
  });

  it("E-01 finds files from the skill's folder, named as the request names them", async () => {
    const { cases, problems } = await readOne(
      "evals.json",
      {
        evals: [
          { id: 1, prompt: "Read sales.csv", files: ["evals/files/sales.csv"] },
          { id: 2, prompt: "Read evals/files/sales.csv", files: ["evals/files/sales.csv"] },
          { id: 3, prompt: "Read all of v1", files: ["evals/files/v1"] },
          { id: 4, prompt: "Read it", files: ["SKILL.md"] },
          { id: 5, prompt: "Read x", files: ["evals/files/none.csv"] },
        ],
      },
      { "pdf/evals/files/sales.csv": "a,b\n", "pdf/evals/files/v1/b/c.txt": "c" },
    );
    expect(cases.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ["sales.csv"],
      ["evals/files/sales.csv"],
      ["v1/b/c.txt"],
      ["SKILL.md"],
    ]);
    expect(problems).toMatchObject([{ code: "case-file-missing", severity: "error" }]);
  });
});

describe("assertions beside expectations", () => {
  it("E-01 a sentence that something exact stands for needs no judge", async () => {
    const { cases, problems } = await readOne("evals.json", {
      evals: [
        {
          prompt: "Merge",
          expectations: ["The skill pdf was used", "merge.py ran", "It has 3 pages", "It is kind"],
          assertions: [
            { text: "The skill pdf was used", type: "skill_used", value: "pdf" },
            { text: "merge.py ran", type: "sequence", value: "run pdf/scripts/merge.py" },
            { text: "It has 3 pages", type: "contains", value: "3 pages" },
            { text: "It is kind" },
          ],
        },
      ],
    });
    expect(problems).toEqual([]);
    expect(cases[0]?.expected).toEqual({
      skills: { used: ["pdf"], unused: [], only: false },
      sequence: ["run pdf/scripts/merge.py"],
      output: [{ type: "contains", value: "3 pages", label: "It has 3 pages" }],
      statements: ["It is kind"],
    });
  });

  it("E-01 reads a file that is one case, and a query with the behaviour that is expected", async () => {
    const one = {
      skills: ["pdf"],
      query: "Merge",
      files: [],
      expected_behavior: ["It merges", "It tells"],
    };
    const { cases, problems } = await readOne("cases/one.json", one);
    expect(problems).toEqual([]);
    expect(cases).toMatchObject([
      { id: "pdf/case-1", input: "Merge", expected: { statements: ["It merges", "It tells"] } },
    ]);
    const several = await readOne("evals.json", [
      { query: "Merge", expected_behavior: "It merges" },
    ]);
    expect(several.cases).toMatchObject([{ expected: { statements: ["It merges"] } }]);
  });

  it("E-01 a file without cases is no problem", async () => {
    expect(await readOne("evals.json", { skill_name: "pdf", evals: [] })).toMatchObject({
      cases: [],
      problems: [],
    });
  });
});

describe("files of a case", () => {
  it("E-01 nothing outside of the skill's folder is taken, by name or by link", async () => {
    const folder = temporaryFolder({
      "pdf/SKILL.md": SKILL,
      "secret.txt": "s",
      "pdf/evals/ok.txt": "ok",
    });
    mkdirSync(join(folder, "pdf/evals/files"));
    symlinkSync(join(folder, "secret.txt"), join(folder, "pdf/evals/files/link.txt"));
    symlinkSync(folder, join(folder, "pdf/evals/files/up"));
    const files = [
      "../secret.txt",
      "/etc/passwd",
      "evals/../../secret.txt",
      "evals/files/link.txt",
      "evals/files/up/secret.txt",
      "evals/files",
      { path: "../out.txt", content: "x" },
      { path: "/out.txt", content: "x" },
      { path: "a.txt", from: "../secret.txt" },
    ];
    const evals = files.map((file, id) => ({ id, prompt: "go", files: [file] }));
    writeFileSync(join(folder, "pdf/evals/evals.json"), JSON.stringify({ evals }));
    const { cases, problems } = await readCases(join(folder, "pdf"));
    expect(cases).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual(files.map(() => "case-file-refused"));
  });

  it("E-01 a grader lies in the folder of the case", async () => {
    const check = (file: string) => [{ type: "script", file }];
    const { folder, cases, problems } = await readOne(
      "cases.json",
      [
        { id: "a", input: "go", expected: { output: check("graders/check.mjs") } },
        { id: "b", input: "go", expected: { output: check("../../outside.mjs") } },
        { id: "c", input: "go", expected: { output: check("/bin/true") } },
      ],
      { "pdf/evals/graders/check.mjs": "", "outside.mjs": "" },
    );
    expect(cases.map(({ expected }) => expected.output)).toEqual([
      [{ type: "script", file: join(folder, "pdf/evals/graders/check.mjs") }],
    ]);
    expect(problems.map(({ code }) => code)).toEqual(["case-file-missing", "case-file-missing"]);
  });
});

describe("trigger sets", () => {
  it.each([
    [
      "trigger-eval.json",
      [
        { query: "a", should_trigger: true },
        { query: "b", should_trigger: false, split: "train" },
      ],
      ["a +pdf", "b -pdf"],
    ],
    [
      "eval_set.json",
      {
        evals: [
          { prompt: "a", expected: "fire" },
          { prompt: "b", expected: "no_fire" },
        ],
      },
      ["a +pdf", "b -pdf"],
    ],
    ["triggers.json", { cases: [{ input: "a", expected_trigger: true }] }, ["a +pdf"]],
    [
      "trigger-queries.json",
      {
        queries: [
          { q: "a", should: "yes" },
          { q: "b", should: "no" },
        ],
      },
      ["a +pdf", "b -pdf"],
    ],
    ["trigger_cases.json", { items: [{ query: "a", should_trigger: "csv" }] }, ["a +csv"]],
    [
      "trigger-cases.json",
      { should_trigger: ["a", { query: "b" }], should_not_trigger: ["c"] },
      ["a +pdf", "b +pdf", "c -pdf"],
    ],
    [
      "trigger_eval.json",
      {
        should_trigger: { train: ["a"], val: ["b"] },
        should_not_trigger: { train: [], val: ["c"] },
      },
      ["a +pdf", "b +pdf", "c -pdf"],
    ],
    [
      "trigger_evals.json",
      {
        train: [{ query: "a", should_trigger: true }],
        val: [{ query: "b", should_trigger: false }],
      },
      ["a +pdf", "b -pdf"],
    ],
    [
      "trigger_queries.json",
      {
        csv: { should_trigger: ["a"], should_not_trigger: ["b"] },
        docx: { should_trigger: ["c"] },
      },
      ["a +csv", "b -csv", "c +docx"],
    ],
    [
      "eval_queries.json",
      [
        { skill: "csv", queries: ["a", "b"] },
        { skill: "docx", queries: ["c"] },
      ],
      ["a +csv", "b +csv", "c +docx"],
    ],
    [
      "routing.json",
      {
        cases: [
          { id: "r1", prompt: "a", expected: "csv" },
          { prompt: "b", expected_skill: "none" },
          { prompt: "c", expected_skill: null },
          { prompt: "d", expected_skills: ["csv", "docx"], forbidden_skills: ["pdf"] },
          { prompt: "e", expected: "none" },
          { prompt: "f", expected: null },
          { prompt: "g", expected: "no-fire" },
        ],
      },
      ["a +csv", "b !", "c !", "d +csv +docx -pdf", "e !", "f !", "g -pdf"],
    ],
    [
      "trigger-evals.json",
      [
        {
          id: "n1",
          question: "a",
          expected_skill: "csv",
          expected_behavior: ["It reads"],
          ground_truth: "x",
        },
      ],
      ["a +csv"],
    ],
    [
      "trigger_cases.json",
      {
        positive_concepts: { ppt: ["ppt", "slides"] },
        negative_patterns: ["no ppt"],
        should_trigger: [{ text: "a", family: "deck" }],
        should_not_trigger: [{ text: "b" }],
        near_neighbor: [{ text: "c" }],
      },
      ["a +pdf", "b -pdf", "c -pdf"],
    ],
    [
      "triggers.json",
      { skill_name: "csv", policy: "opt-in", should_activate: ["a"], should_not_activate: ["b"] },
      ["a +csv", "b -csv"],
    ],
    [
      "routing.json",
      [
        { id: "n", prompt: "a", expected_skills: [], split: "development" },
        { prompt: "b", expected_skill: "csv", acceptable_skills: ["docx"] },
        { prompt: "c", expected_skill: "csv", acceptable_skills: [] },
      ],
      ["a !", "b ?", "c +csv"],
    ],
    [
      "trigger_tests.yaml",
      "skill: csv\nshould_trigger_prompts:\n  - prompt: a\n    confidence: high\n    reason: r\nshould_not_trigger_prompts:\n  - prompt: b\n",
      ["a +csv", "b -csv"],
    ],
  ])("E-01 reads %s with %j", async (name, content, expected) => {
    const { cases, problems } = await readOne(name, content);
    expect(problems).toEqual([]);
    expect(triggers(cases)).toEqual(expected);
  });

  it("E-01 keeps what a request is marked with, its line and an id of its own", async () => {
    const { cases } = await readOne("trigger-eval.json", [
      { query: "a", should_trigger: true, split: "val", category: "near" },
      { id: 7, query: "b", should_trigger: false },
    ]);
    expect(cases.map(({ id, tags, origin }) => [id, tags, origin.line])).toEqual([
      ["pdf/trigger-eval-1", ["near", "split:val"], 2],
      ["pdf/trigger-eval-7", [], 8],
    ]);
  });

  it("E-01 a route to null is one to nobody", async () => {
    const folder = temporaryFolder({
      "routing.json": JSON.stringify({
        cases: [
          { id: "a", prompt: "Go", expected: "pdf" },
          { id: "b", prompt: "Bake", expected: null },
        ],
      }),
    });
    const { cases, problems } = await readCases(join(folder, "routing.json"));
    expect(problems).toEqual([]);
    expect(triggers(cases)).toEqual(["Go +pdf", "Bake !"]);
  });

  it("E-01 a request without a label, or about no skill, is an error", async () => {
    const { cases, problems } = await readOne("triggers.json", [
      { query: "a" },
      { query: "b", should_trigger: true },
      { query: " ", should_trigger: true },
      7,
      { query: "c", should_trigger: { a: 1 } },
    ]);
    expect(triggers(cases)).toEqual(["b +pdf"]);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["case-invalid", 2],
      ["case-invalid", 9],
      ["case-invalid", 13],
      ["case-invalid", 14],
    ]);
    const folder = temporaryFolder({ "triggers.json": '[{"query":"a","should_trigger":true}]' });
    expect(await readCases(join(folder, "triggers.json"))).toMatchObject({
      cases: [],
      problems: [{ message: "it is not said which skill it is about" }],
    });
  });
});

describe("suites of other clients", () => {
  it("E-01 reads a waza suite with its tasks and triggers", async () => {
    const { cases, problems } = await readOne(
      "eval.yaml",
      `name: pdf-eval
skill: pdf
config: { trials_per_task: 3, timeout_seconds: 60 }
graders:
  - { type: text, name: t, config: { contains: [merged], regex_not_match: [error] } }
  - { type: code, name: c, config: { assertions: ["len(output) > 1"] } }
tasks: ["tasks/*.yaml"]
`,
      {
        "pdf/evals/tasks/merge.yaml": `id: merge
name: Merge
inputs:
  prompt: Merge them
  files: [{ path: a.pdf }, { path: n.txt, content: n }]
expected:
  should_trigger: true
  output_contains: [Page]
  behavior: { max_tool_calls: 4, forbidden_tools: [web_fetch] }
graders:
  - { type: file, name: f, config: { must_exist: [out.pdf], must_not_exist: [tmp] } }
  - { type: action_sequence, name: s, config: { matching_mode: in_order_match, expected_actions: [read, write] } }
  - { type: tool_constraint, name: k, config: { reject_tools: [{ tool: bash, command_pattern: "rm -rf /" }] } }
  - { type: skill_invocation, name: i, config: { mode: in_order, required_skills: [csv, pdf], forbidden_skills: [docx] } }
  - { type: program, name: p, config: { command: python3, args: [check.py, --strict] } }
  - { type: prompt, name: j, config: { prompt: It is kind } }
`,
        "pdf/evals/tasks/off.yaml": "id: off\nname: off\nenabled: false\ninputs: { prompt: x }\n",
        "pdf/evals/fixtures/a.pdf": "a",
        "pdf/evals/check.py": "",
        "pdf/evals/trigger_tests.yaml": "skill: pdf\nshould_trigger_prompts: [{ prompt: t }]\n",
      },
    );
    expect(problems).toMatchObject([{ code: "grader-unsupported", severity: "warning", line: 6 }]);
    expect(cases.map(({ id }) => id)).toEqual(["pdf/merge", "pdf/trigger_tests-1"]);
    expect(cases[0]).toMatchObject({
      trials: 3,
      timeoutMs: 60_000,
      files: [{ path: "a.pdf" }, { path: "n.txt", content: "n" }],
      expected: {
        skills: { used: ["pdf", "csv"], unused: ["docx"], only: false },
        sequence: [
          'in order: use "read_file", use "write_file"',
          'never use "bash" where input.command matches /rm -rf \\//',
          'in order: select "csv", select "pdf"',
        ],
        output: [
          { type: "contains", value: "Page", ignoreCase: true },
          { type: "contains", value: "merged", ignoreCase: true },
          { type: "regex", pattern: "error", not: true },
          { type: "file-exists", path: "out.pdf" },
          { type: "file-exists", path: "tmp", not: true },
          { type: "script", args: ["--strict"] },
        ],
        statements: ["It is kind"],
        unsupported: [
          {
            text: "the grader code (c) cannot be run here",
            file: expect.stringMatching(/eval\.yaml$/) as string,
            line: 6,
          },
        ],
      },
      constraints: { maxToolCalls: 4, forbiddenTools: ["network_request"] },
      origin: { line: 1, dialect: "waza", skill: "pdf" },
    });
  });

  it("E-01 reads a vally suite", async () => {
    const { cases, problems } = await readOne(
      "eval.yaml",
      `name: pdf
type: capability
defaults: { runs: 2, timeout: "5m" }
stimuli:
  - name: "Routing: merge"
    prompt: Merge them
    tags: { tier: smoke }
    rubric: [It is kind]
    constraints: { max_turns: 15, max_duration: 1m, expect_skills: [pdf] }
    graders:
      - { type: skill-invocation, config: { required: [pdf], disallowed: [csv] } }
      - { type: output-contains, config: { substring: done } }
      - { type: output-not-matches, config: { pattern: "(?i)fatal" } }
      - { type: tool-calls, config: { required: [{ name: "^(bash|shell)$", command: az }], disallowed: [write_file] } }
      - { type: completed }
      - { type: prompt }
      - { type: token-budget, config: { max: 500 } }
      - { type: error-count, config: { max: 0 } }
      - { type: diff-empty }
  - name: none
`,
    );
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["grader-unsupported", 19],
      ["case-invalid", 20],
    ]);
    expect(cases).toMatchObject([
      {
        id: "pdf/Routing:-merge",
        trials: 2,
        timeoutMs: 300_000,
        tags: ["tier:smoke"],
        expected: {
          skills: { used: ["pdf"], unused: ["csv"] },
          sequence: [
            "use where subject matches /^(bash|shell)$/ and input.command matches /az/",
            "answer",
            "at most 0 step where failed",
          ],
          output: [
            { type: "contains", value: "done" },
            { type: "regex", pattern: "(?i)fatal", not: true },
          ],
          statements: ["It is kind"],
          unsupported: [{ text: "the grader diff-empty cannot be run here", line: 19 }],
        },
        constraints: {
          maxTurns: 15,
          maxTimeMs: 60_000,
          maxTokens: 500,
          forbiddenTools: ["write_file"],
        },
        origin: { dialect: "vally", line: 5 },
      },
    ]);
  });
});

describe("graders of other clients", () => {
  const vally = (...graders: readonly unknown[]) =>
    readOne("eval.yaml", { stimuli: [{ name: "a", prompt: "Go", graders }] });
  const waza = (...graders: readonly unknown[]) =>
    readOne("eval.yaml", {
      graders,
      tasks: [
        { id: "a", inputs: { prompt: "Go" } },
        { id: "b", inputs: { prompt: "Go on" } },
      ],
    });

  it.each([
    ["vally", () => vally({ type: "output-matches", config: { pattern: "(" } })],
    ["waza", () => waza({ type: "text", config: { regex_match: ["("] } })],
    ["waza tools", () => waza({ type: "tool_constraint", config: { expect_tools: ["("] } })],
    ["no type", () => vally({ config: {} })],
    ["no object", () => waza("text")],
  ])("E-01 one that is wrong is an error, told once: %s", async (_, read) => {
    const { cases, problems } = await read();
    expect(cases).toEqual([]);
    expect(problems).toMatchObject([{ code: "case-invalid", severity: "error" }]);
  });

  it("E-01 graders that are no list are an error", async () => {
    const stimuli = [{ name: "a", prompt: "Go", graders: { type: "completed" } }];
    const { cases, problems } = await readOne("eval.yaml", { stimuli });
    expect(cases).toEqual([]);
    expect(problems).toMatchObject([{ message: "graders are a list", severity: "error" }]);
  });

  it.each([
    ["bogus", () => vally({ type: "bogus" })],
    ["run-command", () => vally({ type: "run-command", config: { command: "exit 1" } })],
    ["token-budget", () => vally({ type: "token-budget", config: { max: "few" } })],
    ["code", () => waza({ type: "code", config: { assertions: ["len(output) > 0"] } })],
    ["program", () => waza({ type: "program", config: { command: "false" } })],
    ["behavior", () => waza({ type: "behavior", config: { max_jumps: 1 } })],
    ["tool_constraint", () => waza({ type: "tool_constraint", config: { expect_tools: [1] } })],
  ])("E-01 %s cannot be done here: a warning, and unjudged", async (type, read) => {
    const { cases, problems } = await read();
    const text = `the grader ${type} cannot be run here`;
    expect(problems).toMatchObject([
      { code: "grader-unsupported", severity: "warning", message: text },
    ]);
    expect(cases.length).toBeGreaterThan(0);
    for (const { expected } of cases) expect(expected.unsupported).toMatchObject([{ text }]);
  });
});

describe("mock actions", () => {
  it.each<[unknown, string]>([
    [{ action: "load_resource", skill_name: "pdf" }, "load_resource: give the file"],
    [{ action: "select_skills", skills: [] }, "select_skills: name at least one skill"],
    [{ action: "use_tool" }, "use_tool: name the tool"],
  ])(
    "E-01 an action that no model can give is an error with its line: %j",
    async (action, words) => {
      const answer = { action: "final_answer", answer: "x" };
      const mock = { actions: [answer, action] };
      for (const [name, key] of [
        ["cases.json", "input"],
        ["evals.json", "prompt"],
      ] as const) {
        const item = { [key]: "Go", expected_output: "y", mock };
        const { expected_output: _, ...own } = item;
        const { cases, problems } = await readOne(name, [key === "input" ? own : item]);
        expect(cases).toEqual([]);
        expect(problems).toMatchObject([{ code: "case-invalid", severity: "error" }]);
        expect(problems[0]?.message).toContain(`mock.actions.1: ${words}`);
        expect(problems[0]?.line).toBeGreaterThan(8);
      }
    },
  );

  it("E-01 an action may have any form that a model may use", async () => {
    const actions = [
      { action: "select_skills", skills: ["pdf"] },
      { action: "load_resource", skill: "pdf", path: "a.md", lines: "1-5" },
      { action: "my_tool", path: "a" },
      { action: "final_answer", answer: "x" },
    ];
    const { cases, problems } = await readOne("cases.json", [{ input: "Go", mock: { actions } }]);
    expect(problems).toEqual([]);
    expect(cases[0]?.mock).toEqual({ actions });
  });

  it("E-01 bad output on purpose is a text", async () => {
    const actions = ["{ no JSON", { action: "final_answer", answer: "x" }];
    const { cases, problems } = await readOne("cases.json", [{ input: "Go", mock: { actions } }]);
    expect(problems).toEqual([]);
    expect(cases[0]?.mock).toEqual({ actions });
  });
});

describe("finding cases", () => {
  it("E-01 a skill is called what its own file calls it", async () => {
    const folder = temporaryFolder({
      "folder/SKILL.md": "---\nname: real-name\ndescription: Reads. Use to read.\n---\n",
      "folder/evals/report.eval.yaml": "input: go\nexpected: {}\n",
    });
    const { cases } = await readCases(folder);
    expect(cases).toMatchObject([{ id: "real-name/1", origin: { skill: "real-name" } }]);
  });

  it("E-01 finds them below a root, in a project, and in one order", async () => {
    const one = JSON.stringify([{ query: "q", should_trigger: true }]);
    const folder = temporaryFolder({
      "skills/b/SKILL.md": SKILL.replace("pdf", "b"),
      "skills/b/evals/evals.json": '{"evals":[{"id":1,"prompt":"b"}]}',
      "skills/b/evals/files/evals.json": "not read",
      "skills/b/evals/trigger-eval-results.json":
        '[{"query":"q","should_trigger":true,"pass":true}]',
      "skills/a/SKILL.md": SKILL.replace("pdf", "a"),
      "skills/a/trigger-eval.json": one,
      ".agent/evals/any-name.yaml": "input: p\nexpected: { output: x }\n",
      ".agent/evals/deep/more.json": '[{"input":"d","expected":{}}]',
    });
    const { cases, problems } = await readCases([folder, join(folder, "skills/b")]);
    expect(problems).toEqual([]);
    expect(cases.map(({ id }) => id)).toEqual(["any-name/1", "more/1", "a/trigger-eval-1", "b/1"]);
    const again = await readCases(join("skills", "b", "evals", "evals.json"), { cwd: folder });
    expect(again.cases.map(({ id }) => id)).toEqual(["b/1"]);
  });

  it("E-01 what is not there, or nobody knows, is a problem", async () => {
    const folder = temporaryFolder({ "x.json": '{"a":1}', "y.txt": "hello", "z.json": "{" });
    const { cases, problems } = await readCases(["none", "x.json", "y.txt", "z.json"], {
      cwd: folder,
    });
    expect(cases).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual([
      "path-missing",
      "format-unknown",
      "format-unknown",
      "file-invalid",
    ]);
  });
});
