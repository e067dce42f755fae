import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type EvalCase,
  type EvalDiagnostic,
  type EvalResults,
  evalRules,
  type ExpectedSkills,
  lintCases,
  type LintCasesOptions,
} from "../index.ts";

const CATALOG = [
  { name: "pdf-form-filler", description: "Fills in PDF forms and reads their fields." },
  { name: "pdf", description: "Merges and splits PDF files." },
  { name: "web-forms", description: "Builds HTML forms for web pages." },
];

let line = 0;

function evalCase(input: string, change: Partial<EvalCase> = {}): EvalCase {
  line++;
  return {
    id: `case-${line}`,
    title: input,
    input,
    files: [],
    expected: { sequence: [], output: [], statements: [] },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: "/skills/pdf/evals.json", line, dialect: "skillwright", skill: "pdf" },
    ...change,
  };
}

function trigger(input: string, skills: Partial<ExpectedSkills>): EvalCase {
  const expected = { used: [], unused: [], only: false, ...skills };
  return evalCase(input, {
    expected: { skills: expected, sequence: [], output: [], statements: [] },
  });
}

/** What is found beside how few the cases are. */
function lint(
  cases: readonly EvalCase[],
  options: Partial<LintCasesOptions> = {},
): EvalDiagnostic[] {
  const rules = { "cases-too-few": "off" as const, ...options.rules };
  return lintCases({ catalog: CATALOG, ...options, cases, rules });
}

const codes = (diagnostics: readonly EvalDiagnostic[]) => diagnostics.map(({ code }) => code);
const found = (code: string, cases: readonly EvalCase[], options?: Partial<LintCasesOptions>) =>
  lint(cases, options).filter((one) => one.code === code);

describe("E-02 lint finds a request that names its skill", () => {
  it.each([
    ["Use pdf-form-filler for this", "pdf-form-filler"],
    ["use the PDF Form Filler, please", "pdf-form-filler"],
    ["pdf_form_filler: go", "pdf-form-filler"],
    ["Use the pdf skill to merge these", "pdf"],
    ["/pdf merge these", "pdf"],
    ["Ask the skill `pdf` to do it", "pdf"],
    ["Call web-forms now", "web-forms"],
    ["use the web forms skill", "web-forms"],
  ])("%s", (input, skill) => {
    expect(found("query-names-skill", [trigger(input, { used: [skill] })])).toHaveLength(1);
  });

  it.each([
    ["Merge these pdf files", "pdf"],
    ["Make web forms for my site", "web-forms"],
    ["my-pdf-form-filler-2 is a file", "pdf-form-filler"],
    ["Fill in the form", "pdf-form-filler"],
  ])("but not: %s", (input, skill) => {
    expect(found("query-names-skill", [trigger(input, { used: [skill] })])).toEqual([]);
  });

  it("whatever the names are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, input) => {
        expect(() => lint([trigger(input, { used: [name] })])).not.toThrow();
      }),
    );
  });
});

describe("E-02 lint finds a negative that nobody would get wrong", () => {
  it("because it has no word of the skill, or of any", () => {
    const cases = [
      trigger("What is the weather in Rome?", { unused: ["pdf"] }),
      trigger("Merge these branches", { unused: ["pdf"] }),
      trigger("What is the weather in Paris?", { only: true }),
      trigger("Which forms of government are there?", { only: true }),
    ];
    const trivial = found("negative-trivial", cases);
    expect(trivial.map((one) => one.line)).toEqual([cases[0]!.origin.line, cases[2]!.origin.line]);
    expect(trivial[0]?.hint).toContain("eval suggest");
  });
});

describe("E-02 lint finds cases that are there twice", () => {
  it("with the same request", () => {
    const pdf = { used: ["pdf"] };
    const cases = [
      trigger("Merge these two long PDF files into a single one", pdf),
      trigger("merge these two long  PDF files, into a single one!", pdf),
      trigger("Merge these three long PDF files into a single one", pdf),
      trigger("Split the scan", pdf),
      trigger("Merge these four long PDF files into a single one", { unused: ["pdf"] }),
    ];
    const doubles = lint(cases).filter(({ code }) => code.endsWith("duplicate"));
    expect(doubles.map(({ code, line }) => [code, line])).toEqual([
      ["case-duplicate", cases[1]!.origin.line],
    ]);
  });

  it("and an error when they contradict each other", () => {
    const wants = trigger("Merge these", { used: ["pdf"] });
    for (const other of [
      { unused: ["pdf"] },
      { only: true },
      { used: ["web-forms"], only: true },
    ]) {
      const [finding] = found("cases-contradict", [wants, trigger("Merge these", other)]);
      expect(finding).toMatchObject({ severity: "error" });
    }
    expect(
      found("cases-contradict", [wants, trigger("Merge these", { used: ["web-forms"] })]),
    ).toEqual([]);
  });

  it("but not the same near miss of two skills", () => {
    const elsewhere = trigger("Read this", { unused: ["web-forms"] });
    const origin = { ...elsewhere.origin, skill: "web-forms" };
    const cases = [trigger("Read this", { unused: ["pdf"] }), { ...elsewhere, origin }];
    expect(found("case-duplicate", cases)).toEqual([]);
  });

  it("but not the same request about other files", () => {
    const files = [{ path: "a.pdf", content: "a" }];
    const cases = [evalCase("Read this"), evalCase("Read this", { files })];
    expect(found("case-duplicate", cases)).toEqual([]);
  });
});

describe("E-02 lint finds one-sided cases", () => {
  const times = (count: number, skills: Partial<ExpectedSkills>) =>
    Array.from({ length: count }, (_, i) => trigger(`request ${i} ${line}`, skills));

  it.each([
    [5, 0, "negatives-missing"],
    [0, 5, "positives-missing"],
  ])("with %d positive and %d negative ones", (positive, negative, code) => {
    const cases = [...times(positive, { used: ["pdf"] }), ...times(negative, { unused: ["pdf"] })];
    expect(found(code, cases)).toHaveLength(1);
  });

  it("but not when they are fair, or the neighbours' requests are the negatives", () => {
    const sided = new Set(["negatives-missing", "positives-missing"]);
    for (const cases of [
      [...times(8, { used: ["pdf"] }), ...times(2, { unused: ["pdf"] })],
      [...times(8, { used: ["pdf"] }), ...times(1, { used: ["web-forms"] })],
      [...times(8, { used: ["pdf"] }), ...times(1, { only: true })],
      [evalCase("output only")],
    ]) {
      expect(codes(lint(cases)).filter((code) => sided.has(code))).toEqual([]);
    }
  });

  it("and too few for what they are to show", () => {
    const few = (count: number, claim?: LintCasesOptions["claim"]) =>
      lintCases({
        cases: times(count, { used: ["pdf"] }),
        catalog: CATALOG,
        ...(claim && { claim }),
      })
        .filter(({ code }) => code === "cases-too-few")
        .map(({ message }) => message);
    expect(few(10)).toEqual([
      "pdf: 10 cases; even if all pass, as few as 72 % of such requests may go well (16 cases show 80 %)",
    ]);
    expect(few(16)).toEqual([]);
    expect(few(16, { passRate: 0.9 })[0]).toContain("35 cases show 90 %");
  });
});

describe("E-02 lint finds expectations that", () => {
  const expecting = (expected: Partial<EvalCase["expected"]>) =>
    evalCase("Do it", { expected: { sequence: [], output: [], statements: [], ...expected } });

  it("name a skill that is not there", () => {
    const cases = [trigger("Do it", { used: ["web-form"], unused: ["PDF"] })];
    expect(found("expected-skill-unknown", cases)).toMatchObject([
      { severity: "error", hint: "Did you mean web-forms?" },
    ]);
    expect(found("expected-skill-unknown", cases, { catalog: [] })).toEqual([]);
  });

  it("contradict themselves, are none, or only words", () => {
    const statements = ["The tone is friendly"];
    const output = [{ type: "contains" as const, value: "42" }];
    expect(codes(lint([trigger("Do it", { used: ["pdf"], unused: ["pdf"] })]))).toContain(
      "case-contradicts-itself",
    );
    expect(codes(lint([expecting({})]))).toEqual(["case-checks-nothing"]);
    expect(codes(lint([expecting({ statements })]))).toEqual(["case-only-statements"]);
    expect(codes(lint([expecting({ statements, output })]))).toEqual(["statement-offline"]);
    expect(codes(lint([expecting({ output })]))).toEqual([]);
    const limits = { maxTurns: 3, forbiddenTools: [], requiredTools: [] };
    expect(codes(lint([evalCase("Do it", { constraints: limits })]))).toEqual([]);
  });

  it("cannot be judged here, where the grader stands and with the cases that it keeps from passing", () => {
    const grader = (line: number) => ({
      text: "the grader diff cannot be run here",
      file: "/eval.yaml",
      line,
    });
    const output = [{ type: "contains" as const, value: "42" }];
    const cases = [
      expecting({ output, unsupported: [grader(7), grader(9)] }),
      ...Array.from({ length: 4 }, () => expecting({ unsupported: [grader(9)] })),
    ];
    const names = cases.slice(0, 3).map(({ id }) => id);
    const findings = lint(cases, { rules: { "case-duplicate": "off" } });
    expect(findings).toMatchObject([
      {
        code: "grader-unsupported",
        severity: "warning",
        file: "/eval.yaml",
        line: 7,
        message: `the grader diff cannot be run here: ${names[0]} cannot pass`,
      },
      { line: 9, message: expect.stringContaining(`${names.join(", ")} and 2 more`) as string },
    ]);
    expect(findings).toHaveLength(2);
  });

  it("pass with the skill and without, as results show", () => {
    const one = expecting({ output: [{ type: "contains", value: "a" }] });
    const trial = (arm: string, outcome: string) => ({
      caseId: one.id,
      arm,
      isMock: false,
      grades: [{ metric: "output", text: "has an a", outcome, score: 1, evidence: "" }],
    });
    const results = (outcome: string) =>
      ({
        setup: { arms: [{ name: "with_skill" }, { name: "without_skill" }] },
        trials: [trial("with_skill", outcome), trial("without_skill", "pass")],
      }) as unknown as EvalResults;
    const [finding] = lint([one], { results: results("pass") });
    expect(finding).toMatchObject({
      code: "assertion-never-discriminates",
      line: one.origin.line,
      message: `${one.id}: "has an a" passed with_skill 1 of 1, without_skill 1 of 1`,
    });
    expect(codes(lint([one], { results: results("fail") }))).toEqual(["assertion-harmful"]);
  });
});

describe("E-02 lint findings", () => {
  it("have the place of the case, in order, and the severity that is set", () => {
    const cases = [evalCase("b"), evalCase("a")].toReversed();
    const diagnostics = lint(cases, { rules: { "case-checks-nothing": "error" } });
    expect(diagnostics.map((one) => one.line)).toEqual(
      cases.map((one) => one.origin.line).toReversed(),
    );
    expect(diagnostics[0]).toEqual({
      code: "case-checks-nothing",
      severity: "error",
      message: expect.any(String) as string,
      file: "/skills/pdf/evals.json",
      line: expect.any(Number) as number,
      column: 1,
    });
    expect(lint(cases, { rules: { "case-checks-nothing": "off" } })).toEqual([]);
  });

  it("are documented one by one", () => {
    expect(new Set(evalRules.map(({ code }) => code)).size).toBe(evalRules.length);
    for (const { code, summary, explanation, example } of evalRules) {
      expect(code).toMatch(/^[a-z]+(?:-[a-z]+)+$/);
      expect(summary).toMatch(/\.$/);
      expect(explanation.length).toBeGreaterThan(40);
      expect(example.bad).not.toBe(example.good);
    }
  });

  it("leave out cases whose actions are given", () => {
    const mock = { actions: [] };
    const cases = ["Use the pdf skill", "Use the pdf skill"].map((input) => ({
      ...trigger(input, { used: ["pdf"] }),
      mock,
    }));
    expect(lint(cases)).toEqual([]);
  });
});
