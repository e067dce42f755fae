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

describe("our own format", () => {
  it("E-01 reads every field, in YAML", async () => {
    const { folder, cases, problems } = await readOne(
      "merge.eval.yaml",
      `skill: pdf
defaults:
  tags: [smoke]
  constraints: { maxToolCalls: 9, forbiddenTools: [write_file] }
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
        - { type: file-exists, path: out.pdf, label: There is a file }
        - { type: number, value: 2, not: true }
      statements: It is polite.
      unjudged: [It is correct.]
    constraints: { maxToolCalls: 5, maxTime: 2m }
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
          unsupported: [
            { text: "It is correct.", file: join(folder, "pdf/evals/merge.eval.yaml"), line: 21 },
          ],
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
  - id: cases-1
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
      "../../secret.txt",
      "/etc/passwd",
      "files/../../../secret.txt",
      "files/link.txt",
      "files/up/secret.txt",
      "files",
      { path: "../out.txt", content: "x" },
      { path: "/out.txt", content: "x" },
      { path: "a.txt", from: "../../secret.txt" },
    ];
    const written = files.map((file, id) => ({ id, input: "go", files: [file], expected: {} }));
    writeFileSync(join(folder, "pdf/evals/cases.json"), JSON.stringify({ cases: written }));
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
    expect(own.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      expect.stringMatching(/^warning: .* cannot see expected\.json: it starts in the working/),
      expect.stringMatching(/^warning: .* cannot see \.\.\/data\/x\.csv/),
    ]);
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
      const { cases, problems } = await readOne("cases.json", [{ input: "Go", mock }]);
      expect(cases).toEqual([]);
      expect(problems).toMatchObject([{ code: "case-invalid", severity: "error" }]);
      expect(problems[0]?.message).toContain(`mock.actions.1: ${words}`);
      expect(problems[0]?.line).toBeGreaterThan(8);
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
    expect(cases).toMatchObject([{ id: "real-name/report-1", origin: { skill: "real-name" } }]);
  });

  it("E-01 finds them below a root, in a project, and in one order", async () => {
    const one = JSON.stringify([{ id: 1, prompt: "q", should_trigger: true }]);
    const folder = temporaryFolder({
      "skills/b/SKILL.md": SKILL.replace("pdf", "b"),
      "skills/b/evals/evals.json": '{"evals":[{"id":1,"prompt":"b"}]}',
      "skills/b/evals/files/evals.json": "not read",
      "skills/b/evals/trigger-eval-results.json":
        '[{"query":"q","should_trigger":true,"pass":true}]',
      "skills/a/SKILL.md": SKILL.replace("pdf", "a"),
      "skills/a/evals.json": one,
      ".agent/evals/any-name.yaml": "input: p\nexpected: { output: x }\n",
      ".agent/evals/deep/more.json": '[{"input":"d","expected":{}}]',
    });
    const { cases, problems } = await readCases([folder, join(folder, "skills/b")]);
    expect(problems).toEqual([]);
    expect(cases.map(({ id }) => id)).toEqual(["any-name/1", "more/1", "a/1", "b/1"]);
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
      "file-invalid",
      "format-unknown",
      "format-unknown",
    ]);
  });
});
