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

describe("evals.json", () => {
  it("E-08 reads both dialects; sentences are judged, typed assertions stay typed", async () => {
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
            { type: "matches", value: "fine", not: true },
            { type: "file_exists", path: "out/*.pdf" },
            { type: "file_not_exists", path: "tmp" },
            { type: "file_contains", path: "a.md", value: "x" },
            { type: "contains_all", values: ["a", "b"] },
            { type: "contains_any", values: ["a.b", "c"] },
            { type: "json_path", path: "$.n", value: 3 },
            { type: "number", value: 3, tolerance: 0.5 },
            { type: "is_json" },
            { type: "tool_not_used", value: "Write" },
            { type: "skill_used", skill: "pdf" },
            { type: "sequence", value: "select pdf before answer" },
            { type: "llm", text: "It is kind" },
            { type: "qualitative", text: "It is short" },
          ],
        },
        { prompt: "Rotate", expected_output: "a rotated file", tags: ["slow"], notes: "n" },
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
      sequence: ["select pdf before answer"],
      output: [
        { type: "contains", value: "two", label: "says two" },
        { type: "contains", value: "sorry", label: "does not say sorry", not: true },
        { type: "regex", pattern: "(?i)^OK" },
        { type: "regex", pattern: "fine", not: true },
        { type: "file-exists", path: "out/*.pdf" },
        { type: "file-exists", path: "tmp", not: true },
        { type: "file-contains", path: "a.md", value: "x" },
        { type: "contains", value: "a" },
        { type: "contains", value: "b" },
        { type: "regex", pattern: "a\\.b|c" },
        { type: "json-path", path: "$.n", equals: 3 },
        { type: "number", value: 3, tolerance: 0.5 },
        { type: "json-schema", schema: true },
      ],
      statements: ["It is kind", "It is short"],
    });
    expect(cases[1]?.constraints.forbiddenTools).toEqual(["write_file"]);
    expect(cases[2]).toMatchObject({
      expected: { statements: ["a rotated file"] },
      tags: ["slow"],
      origin: { dialect: "evals-json" },
    });
  });

  it.each<[unknown]>([
    [{ type: "guess", value: "x", text: "It is good" }],
    [{ type: "contains", text: "It contains the sum" }],
    [{ type: "contains", value: "x", min_count: 2 }],
    [{ type: "contains_any", values: [] }],
    [{ type: "not_contains_all", values: ["a", "b"] }],
    [{ type: "file_contains", path: "x" }],
    [{ type: "not_sequence", value: "answer" }],
    [{ type: "tool_used", value: "bash", count: 2 }],
    [{ type: "llm", text: "It is kind", threshold: 0.8 }],
    [{ text: "It matches", pattern: "a" }],
    [{ odd: true }],
  ])("E-08 what cannot be honoured leaves the case unjudged: %j", async (assertion) => {
    const { folder, cases, problems } = await readOne("evals.json", [
      { id: "a", prompt: "Go", assertions: ["fine", assertion] },
    ]);
    expect(problems).toMatchObject([{ code: "grader-unsupported", severity: "warning" }]);
    expect(problems[0]?.message).toMatch(/^assertions\.1: /);
    const file = join(folder, "pdf/evals/evals.json");
    const { unsupported, statements, output } = cases[0]!.expected;
    expect(unsupported).toMatchObject([{ file, line: problems[0]?.line }]);
    expect([statements, output]).toEqual([["fine"], []]);
  });

  it.each([
    ["constraints", { max_tool_calls: 2 }],
    ["must_not", ["delete"]],
    ["acceptable_skills", ["csv"]],
    ["expected_behavior", ["It merges"]],
    ["mock", { actions: [] }],
    ["setup", { commands: ["make"] }],
    ["runs", 3],
  ])("E-08 a field that is not of the format leaves the case unjudged: %s", async (name, value) => {
    const { cases, problems } = await readOne("evals.json", [
      { id: "a", prompt: "Go", expectations: ["done"], [name]: value },
    ]);
    expect(problems).toMatchObject([{ code: "grader-unsupported", severity: "warning" }]);
    const text = `${name} is not known in evals.json`;
    expect(cases[0]?.expected.unsupported).toMatchObject([{ text }]);
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ assertions: [{ type: "regex", value: "(" }] }, "assertions.0: Invalid regular expression"],
    [{ assertions: [{ type: "number", value: 1, pattern: "(" }] }, "assertions.0: Invalid regular"],
    [{ assertions: [5] }, "assertions.0: expected a text or an object"],
    [{ assertions: [null] }, "assertions.0: expected a text or an object"],
    [{ assertions: [" "] }, "assertions.0: the assertion is empty"],
    [{ assertions: [{ id: 1 }] }, "assertions.0: the assertion is empty"],
    [{ assertions: 5 }, "assertions: expected a list"],
    [{ expectations: { a: "says it" } }, "expectations: expected a list"],
    [{ files: { path: "a" } }, "files: expected a list of paths"],
    [{ should_trigger: "yes" }, "should_trigger: expected true or false"],
    [{ prompt: "" }, "a case needs a prompt"],
  ])("E-08 what is invalid is an error: %j", async (item, message) => {
    const { cases, problems } = await readOne("evals.json", [
      { id: "bad", prompt: "Go", ...item },
      { id: "good", prompt: "Go", assertions: null },
    ]);
    expect(cases.map(({ id }) => id)).toEqual(["pdf/good"]);
    expect(problems).toMatchObject([{ code: "case-invalid", severity: "error" }]);
    expect(problems[0]?.message).toContain(message);
  });

  it("E-08 a label about no skill is an error, and lists that are not read are reported", async () => {
    const evals = [{ id: 1, prompt: "Go", should_trigger: true }];
    const text = JSON.stringify({ evals, more: [{ prompt: "x" }] });
    const folder = temporaryFolder({ "evals.json": text });
    const { cases, problems } = await readCases(join(folder, "evals.json"));
    expect(cases).toEqual([]);
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      "warning: more is not read",
      "error: should_trigger: name the skill in skill_name",
    ]);
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

  it("E-01 a sentence that an exact check stands for needs no judge", async () => {
    const { cases, problems } = await readOne("evals.json", {
      evals: [
        {
          prompt: "Merge",
          expectations: ["The skill pdf was used", "It has 3 pages", "It is kind"],
          assertions: [
            { text: "The skill pdf was used", type: "skill_used", value: "pdf" },
            { text: "It has 3 pages", type: "contains", value: "3 pages" },
            { text: "It is kind" },
          ],
        },
      ],
    });
    expect(problems).toEqual([]);
    expect(cases[0]?.expected).toEqual({
      skills: { used: ["pdf"], unused: [], only: false },
      sequence: [],
      output: [{ type: "contains", value: "3 pages", label: "It has 3 pages" }],
      statements: ["It is kind"],
    });
  });

  it("E-01 a file without cases is no problem, and a case deep below evals knows its skill", async () => {
    expect(await readOne("evals.json", { skill_name: "pdf", evals: [] })).toMatchObject({
      cases: [],
      problems: [],
    });
    const deep = await readOne("a/b/c/evals.json", [{ id: 1, prompt: "Go" }]);
    expect(deep.cases).toMatchObject([{ id: "pdf/1", origin: { skill: "pdf" } }]);
  });

  it("E-01 a grader that lies outside of the skill is an error", async () => {
    const assertions = [{ type: "script", file: "../../outside.py" }];
    const { cases, problems } = await readOne("evals.json", [{ id: 1, prompt: "Go", assertions }], {
      "outside.py": "",
    });
    expect(cases).toEqual([]);
    expect(problems).toMatchObject([{ code: "case-file-missing", severity: "error" }]);
  });
});

describe("files of other tools", () => {
  const TRIGGERS = [{ query: "Merge", should_trigger: true }];

  it.each<[string, unknown]>([
    ["trigger-eval.json", TRIGGERS],
    ["routing.json", { cases: [{ prompt: "a", expected_skill: "csv" }] }],
    ["eval.yaml", { name: "x", tasks: ["tasks/*.yaml"] }],
    ["task.yaml", { id: "a", inputs: { prompt: "go" } }],
    ["eval.yaml", { stimuli: [{ name: "a", prompt: "Go" }] }],
    ["config.yaml", { prompts: ["{{ a }}"], providers: ["x"], tests: [{ vars: { a: "b" } }] }],
  ])("E-08 %s is not read, and the hint names eval import: %j", async (name, content) => {
    const found = await readOne(name, content);
    expect(found.cases).toEqual([]);
    expect(found.problems).toMatchObject([{ code: "format-foreign", severity: "warning" }]);
    expect(found.problems[0]?.hint).toContain("skillwright eval import ");
    const named = await readCases(join(found.folder, "pdf/evals", name));
    expect(named.problems).toMatchObject([{ code: "format-foreign", severity: "error" }]);
  });

  it("E-08 once a file was imported, nothing is said about it", async () => {
    const { cases, problems } = await readOne("trigger-eval.json", TRIGGERS, {
      "pdf/evals/cases.yaml": "importedFrom: trigger-eval.json\ncases: [{ input: Merge }]\n",
    });
    expect([cases.length, problems]).toEqual([1, []]);
  });
});
