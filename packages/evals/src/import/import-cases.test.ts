import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { type EvalCase, importCases, readCases } from "../index.ts";

const SKILL = "---\nname: pdf\ndescription: Reads PDFs.\n---\n";

/** Imports a file of the skill pdf, writes the result and reads it again. */
async function convert(
  name: string,
  content: unknown,
  others: Readonly<Record<string, string>> = {},
) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  const folder = temporaryFolder({ "pdf/SKILL.md": SKILL, [`pdf/evals/${name}`]: text, ...others });
  const into = join(folder, "pdf/evals/imported.cases.yaml");
  const imported = await importCases(join(folder, "pdf/evals", name), { into });
  if (!imported.ok) throw new Error(imported.message);
  writeFileSync(into, imported.text);
  const { cases, problems } = await readCases(into);
  const losses = imported.losses.map(({ effect, message }) => `${effect}: ${message}`);
  return { folder, imported, cases, problems, losses };
}

/** Input and expected skills: `+` used, `-` unused, `!` no other. */
function triggers(cases: readonly EvalCase[]): string[] {
  return cases.map(({ input, expected: { skills } }) => {
    const used = skills?.used.map((name) => `+${name}`) ?? ["?"];
    const unused = skills?.unused.map((name) => `-${name}`) ?? [];
    return [input, ...used, ...unused, ...(skills?.only === true ? ["!"] : [])].join(" ");
  });
}

describe("trigger sets", () => {
  it.each<[unknown, readonly string[]]>([
    [
      [
        { query: "a", should_trigger: true },
        { query: "b", should_trigger: false, split: "train", notes: "n" },
      ],
      ["a +pdf", "b -pdf"],
    ],
    [
      {
        evals: [
          { prompt: "a", expected: "fire" },
          { prompt: "b", expected: "no_fire" },
        ],
      },
      ["a +pdf", "b -pdf"],
    ],
    [{ cases: [{ input: "a", expected_trigger: true }] }, ["a +pdf"]],
    [
      {
        queries: [
          { q: "a", should: "yes" },
          { q: "b", should: "no" },
        ],
      },
      ["a +pdf", "b -pdf"],
    ],
    [{ items: [{ query: "a", should_trigger: "csv" }] }, ["a +csv"]],
    [
      { should_trigger: ["a", { query: "b" }], should_not_trigger: ["c"] },
      ["a +pdf", "b +pdf", "c -pdf"],
    ],
    [{ shouldTrigger: ["a"], shouldNotTrigger: ["b"] }, ["a +pdf", "b -pdf"]],
    [
      { should_trigger: { train: ["a"], val: ["b"] }, should_not_trigger: { val: ["c"] } },
      ["a +pdf", "b +pdf", "c -pdf"],
    ],
    [
      {
        csv: { should_trigger: ["a"], should_not_trigger: ["b"] },
        docx: { should_trigger: ["c"] },
      },
      ["a +csv", "b -csv", "c +docx"],
    ],
    [
      [
        { skill: "csv", queries: ["a", "b"] },
        { skill: "docx", queries: ["c"] },
      ],
      ["a +csv", "b +csv", "c +docx"],
    ],
    [
      {
        cases: [
          { id: "r1", prompt: "a", expected: "csv" },
          { prompt: "b", expected_skill: "none" },
          { prompt: "c", expected_skill: null },
          { prompt: "d", expected_skills: ["csv", "docx"], forbidden_skills: ["pdf"] },
          { prompt: "e", expected: null },
        ],
      },
      ["a +csv", "b !", "c !", "d +csv +docx -pdf", "e !"],
    ],
    [
      { skill_name: "csv", should_activate: ["a"], should_not_activate: ["b"] },
      ["a +csv", "b -csv"],
    ],
    [
      { skill: "csv", should_trigger_prompts: [{ prompt: "a", confidence: "high", reason: "r" }] },
      ["a +csv"],
    ],
  ])("E-08 imports %j", async (content, expected) => {
    const { cases, problems, losses, imported } = await convert("triggers.json", content);
    expect([problems, losses]).toEqual([[], []]);
    expect(triggers(cases)).toEqual(expected);
    expect(imported.format).toBe("trigger-set");
  });

  it("E-08 one of several skills will do, what is expected of the answer is kept", async () => {
    const { cases, losses } = await convert("routing.json", [
      { prompt: "a", expected_skill: "csv", acceptable_skills: ["my.docx"], split: "val" },
      { prompt: "b", expected_skill: "csv", expected_behavior: ["It reads"], must_not: ["delete"] },
    ]);
    expect(losses).toEqual(["unjudged: must_not cannot be converted"]);
    expect(cases[0]).toMatchObject({
      expected: { sequence: ["select where subject matches /^(?:csv|my\\.docx)$/"] },
      tags: ["split:val"],
    });
    expect(cases[0]?.expected.skills).toBeUndefined();
    expect(cases[1]?.expected).toMatchObject({
      skills: { used: ["csv"] },
      statements: ["It reads"],
      unsupported: [{ text: "must_not cannot be converted" }],
    });
  });

  it("E-08 a request without a label, or about no skill, is left out and listed", async () => {
    const content = [
      { query: "a" },
      { query: "b", should_trigger: true },
      { query: " ", should_trigger: true },
      7,
      { query: "c", should_trigger: { a: 1 } },
    ];
    const { cases, imported } = await convert("triggers.json", content);
    expect(triggers(cases)).toEqual(["b +pdf"]);
    expect(imported.losses.map(({ effect, line }) => [effect, line])).toEqual([
      ["left-out", 2],
      ["left-out", 9],
      ["left-out", 13],
      ["left-out", 14],
    ]);
    const folder = temporaryFolder({ "t.json": '[{"query":"a","should_trigger":true}]' });
    const options = { into: join(folder, "o.json") };
    const none = await importCases(join(folder, "t.json"), options);
    expect(none).toMatchObject({
      cases: [],
      losses: [{ message: expect.stringMatching(/--skill/) }],
    });
    const named = await importCases(join(folder, "t.json"), { ...options, skill: "csv" });
    expect(named).toMatchObject({ skill: "csv", cases: [{ expected: { skills: ["csv"] } }] });
    const text = named.ok ? named.text : "{}";
    expect(JSON.parse(text)).toMatchObject({ importedFrom: "t.json" });
  });
});

describe("waza", () => {
  it("E-08 imports a suite with its tasks, files and programs", async () => {
    const { folder, cases, problems, losses } = await convert(
      "eval.yaml",
      `name: pdf-eval
skill: pdf
config: { trials_per_task: 3, timeout_seconds: 60, model: x }
metrics: [{ name: m }]
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
  outcomes: [It is merged]
  behavior: { max_tool_calls: 4, forbidden_tools: [web_fetch], max_jumps: 1 }
graders:
  - { type: file, name: f, config: { must_exist: ["out/*.pdf"], must_not_exist: [tmp] } }
  - { type: action_sequence, name: s, config: { matching_mode: any_order_match, expected_actions: [read, write] } }
  - { type: tool_constraint, name: k, config: { reject_tools: [{ tool: bash, command_pattern: "(?i)rm -rf /" }] } }
  - { type: skill_invocation, name: i, config: { required_skills: [csv], forbidden_skills: [docx] } }
  - { type: program, name: p, config: { command: python3, args: [check.py, --strict] } }
  - { type: prompt, name: j, config: { prompt: It is kind } }
`,
        "pdf/evals/tasks/off.yaml": "id: off\nname: off\nenabled: false\ninputs: { prompt: x }\n",
        "pdf/evals/tasks/template.yaml": "id: t\ninputs: { prompt: 'Hi {{ .Vars.a }}' }\n",
        "pdf/evals/fixtures/a.pdf": "a",
        "pdf/evals/check.py": "",
      },
    );
    expect(losses).toEqual([
      "changed: metrics is not converted",
      "changed: config.model is not converted",
      "unjudged: the constraint max_jumps cannot be checked",
      "unjudged: the grader code (c) cannot be converted",
      "left-out: the task is disabled",
      "left-out: the prompt has variables",
    ]);
    expect(problems).toEqual([]);
    expect(cases).toMatchObject([
      {
        id: "pdf/merge",
        trials: 3,
        timeoutMs: 60_000,
        files: [
          { path: "a.pdf", from: join(folder, "pdf/evals/fixtures/a.pdf") },
          { path: "n.txt", content: "n" },
        ],
        expected: {
          skills: { used: ["pdf", "csv"], unused: ["docx"], only: false },
          sequence: ['never use "bash" where input.command matches /rm -rf \\//i'],
          output: [
            { type: "contains", value: "Page", ignoreCase: true },
            { type: "regex", pattern: "error", not: true },
            { type: "contains", value: "merged", ignoreCase: true },
            { type: "file-exists", path: "out/*.pdf" },
            { type: "file-exists", path: "tmp", not: true },
            { type: "script", file: join(folder, "pdf/evals/check.py"), args: ["--strict"] },
          ],
          statements: ["It is merged", "It is kind"],
        },
        constraints: {
          maxToolCalls: 4,
          forbiddenTools: ["network_request"],
          requiredTools: ["read_file", "write_file"],
        },
      },
    ]);
    expect(cases[0]?.expected.unsupported).toHaveLength(2);
  });

  const suite = (task: Readonly<Record<string, unknown>>) =>
    convert("eval.yaml", { tasks: [{ id: "a", inputs: { prompt: "Go" }, ...task }] });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["the grader bogus", { graders: [{ type: "bogus" }] }],
    ["the grader program", { graders: [{ type: "program", config: { command: "false" } }] }],
    ["the grader file", { graders: [{ type: "file", config: { content_patterns: [{}] } }] }],
    ["the grader text", { graders: [{ type: "text", config: { regex_match: ["\\Afoo"] } }] }],
    ["the grader text", { graders: [{ type: "text", config: { regex_match: ["("] } }] }],
    ["the grader text", { graders: [{ type: "text", config: { contains: ["a"], fuzzy: 1 } }] }],
    [
      "the grader action_sequence",
      { graders: [{ type: "action_sequence", config: { expected_actions: ["a", "b"] } }] },
    ],
    [
      "the grader skill_invocation",
      {
        graders: [
          { type: "skill_invocation", config: { mode: "in_order", required_skills: ["a", "b"] } },
        ],
      },
    ],
    [
      "the grader tool_constraint",
      { graders: [{ type: "tool_constraint", config: { expect_tools: [1] } }] },
    ],
    ["graders are not a list", { graders: { type: "text" } }],
    ["the grader without a type", { graders: ["text"] }],
    ["hooks is not prepared", { hooks: { before: ["make"] } }],
    ["environment is not prepared", { inputs: { prompt: "Go", environment: { A: "1" } } }],
    ["the outcome", { expected: { outcomes: [{ type: "file_count", value: 3 }] } }],
    ["expected.files cannot be converted", { expected: { files: ["a"] } }],
    ["some of tool_calls", { expected: { tool_calls: { required: [{ name: "a", args: {} }] } } }],
  ])("E-08 leaves the case unjudged: %s", async (message, task) => {
    const { cases, losses } = await suite(task);
    expect(losses).toEqual([expect.stringContaining(`unjudged: ${message}`)]);
    expect(cases[0]?.expected.unsupported).toHaveLength(1);
  });
});

describe("vally", () => {
  it("E-08 imports stimuli, with settings and constraints of the suite", async () => {
    const { cases, problems, losses } = await convert(
      "eval.yaml",
      `name: pdf
type: capability
config: { runs: 2, timeout: "5m", executor: x }
scoring: { threshold: 0.8 }
environment: { files: [data.csv], commands: [make] }
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
      - { type: file-contains, config: { path: "**/*.md", value: x } }
      - { type: tool-calls, config: { required: [{ name: "^(bash|shell)$", command: az }], disallowed: [write_file] } }
      - { type: completed }
      - { type: prompt }
      - { type: token-budget, config: { max: 500 } }
      - { type: error-count, config: { max: 0 } }
      - { type: diff-empty }
  - name: several
    turns: [a, b]
  - name: none
`,
      { "pdf/evals/data.csv": "a" },
    );
    expect(losses).toEqual([
      "changed: scoring is not converted",
      "changed: config.executor is not converted",
      "unjudged: environment.commands is not prepared",
      "unjudged: the grader diff-empty cannot be converted",
      "left-out: a stimulus of several turns",
      "left-out: the stimulus has no prompt",
    ]);
    expect(problems).toEqual([]);
    expect(cases).toMatchObject([
      {
        id: "pdf/Routing:-merge",
        trials: 2,
        timeoutMs: 300_000,
        tags: ["tier:smoke"],
        files: [{ path: "data.csv" }],
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
            { type: "file-contains", path: "**/*.md", value: "x" },
          ],
          statements: ["It is kind"],
        },
        constraints: {
          maxTurns: 15,
          maxTimeMs: 60_000,
          maxTokens: 500,
          forbiddenTools: ["write_file"],
        },
      },
    ]);
    expect(cases[0]?.expected.unsupported).toHaveLength(2);
  });
});

describe("promptfoo", () => {
  it("E-08 fills plain variables in, and keeps assertions that mean the same", async () => {
    const { cases, losses } = await convert(
      "promptfooconfig.yaml",
      `description: x
providers: [openai:gpt]
prompts: ["Please {{ task }}", "file://prompt.txt"]
defaultTest: { assert: [{ type: latency, threshold: 5000 }] }
tests:
  - description: merging
    vars: { task: merge a.pdf }
    assert:
      - { type: icontains, value: done }
      - { type: not-contains, value: "{{ task }}" }
      - { type: contains-any, value: [a.b, c] }
      - { type: starts-with, value: Yes }
      - { type: is-json }
      - { type: skill-used, value: pdf }
      - { type: not-skill-used, value: [csv] }
      - { type: llm-rubric, value: It is kind }
      - { type: javascript, value: "output.length > 3" }
      - { type: similar, value: x, threshold: 0.8 }
      - { type: contains, value: y, transform: "output.trim()" }
  - vars: { task: [a, b] }
  - vars: { task: "{% if x %}a{% endif %}" }
    threshold: 0.5
  - tests.csv
`,
    );
    expect(losses).toEqual([
      "changed: providers is not converted",
      "left-out: the prompt is a file, a program or a chat",
      "unjudged: the assertion javascript cannot be converted",
      "unjudged: the assertion similar cannot be converted",
      "unjudged: the assertion contains cannot be converted",
      "left-out: the prompt has variables that are not plain texts",
      "unjudged: a threshold over all assertions cannot be converted",
      "left-out: the test is not in this file",
    ]);
    expect(cases[0]).toMatchObject({
      id: "pdf/test-1",
      title: "merging",
      input: "Please merge a.pdf",
      expected: {
        skills: { used: ["pdf"], unused: ["csv"], only: false },
        output: [
          { type: "contains", value: "done", ignoreCase: true },
          { type: "contains", value: "merge a.pdf", not: true },
          { type: "regex", pattern: "a\\.b|c" },
          { type: "regex", pattern: "^Yes" },
          { type: "json-schema", schema: true },
        ],
        statements: ["It is kind"],
      },
      constraints: { maxTimeMs: 5000 },
    });
    expect(cases[0]?.expected.unsupported).toHaveLength(3);
  });
});

describe("importCases", () => {
  it.each<[string, string, string]>([
    ["cases.yaml", "cases: [{ input: a, expected: {} }]", "format-native"],
    ["evals.json", '[{"prompt":"a"}]', "format-native"],
    ["other.json", '{"a":1}', "format-unknown"],
    ["broken.json", "{", "file-unreadable"],
    ["gone.json", "", "file-unreadable"],
  ])("E-08 %s is a failure: %s", async (name, text, code) => {
    const folder = temporaryFolder(text === "" ? {} : { [name]: text });
    const into = join(folder, "o.yaml");
    expect(await importCases(join(folder, name), { into })).toMatchObject({ ok: false, code });
  });

  it("E-08 ids are unique, and a case that our format cannot hold is left out", async () => {
    const long = "x".repeat(100_001);
    const { cases, losses } = await convert("triggers.json", [
      { id: 1, query: "a", should_trigger: true },
      { id: 1, query: "b", should_trigger: true },
      { id: 2, query: long, should_trigger: true },
    ]);
    expect(cases.map(({ id }) => id)).toEqual(["pdf/1", "pdf/1-2"]);
    expect(losses).toEqual([expect.stringContaining("left-out: 2 cannot be expressed: input")]);
  });

  it("E-08 whatever is in a file, what was imported can be read", async () => {
    const names =
      "stimuli tasks inputs prompt prompts tests vars assert graders type config value query should_trigger " +
      "skill train expected id constraints required files environment tags rubric name outcomes";
    const keys = fc.constantFrom(...names.split(" "));
    const leaf = fc.oneof(
      fc.constantFrom("pdf", "none", "text", "file-exists", "skill-used", "(", "{{ a }}", ""),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 5 }),
      ),
    }));
    const roots = fc.oneof(
      value,
      fc.record({ stimuli: fc.array(value, { maxLength: 2 }), graders: value, config: value }),
      fc.record({ tasks: fc.array(value, { maxLength: 2 }), graders: value, skill: value }),
      fc.record({ prompts: value, tests: value, defaultTest: value }),
      fc.array(fc.record({ query: fc.string(), should_trigger: value }), { maxLength: 2 }),
    );
    const folder = temporaryFolder();
    const [file, into] = [join(folder, "in.json"), join(folder, "out.cases.yaml")];
    await fc.assert(
      fc.asyncProperty(roots, async (content) => {
        writeFileSync(file, JSON.stringify(content));
        const imported = await importCases(file, { into, skill: "pdf" });
        if (!imported.ok) return;
        writeFileSync(into, imported.text);
        const { cases, problems } = await readCases(into);
        const wrong = problems.filter(({ code }) => !code.startsWith("case-file"));
        expect(wrong).toEqual([]);
        expect(cases.length + problems.length).toBe(imported.cases.length);
      }),
      { numRuns: numRuns(500) },
    );
  });
});
