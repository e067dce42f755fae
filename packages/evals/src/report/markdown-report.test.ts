import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { compareResults, markdownReport, summarize, type TrialResult } from "../index.ts";
import { codeSpan, escapeMarkdown } from "./index.ts";

const grade = {
  metric: "output",
  text: 'contains "42"',
  outcome: "fail",
  score: 0,
  evidence: "41",
} as const;
const failed = exampleTrial({ caseId: "pdf/2", outcome: "fail", grades: [grade] });

function reportOf(trials: readonly TrialResult[]): string {
  const results = exampleResults(trials);
  return markdownReport({ results, summary: summarize(results) });
}

describe("markdownReport", () => {
  it("E-03 begins with the verdict and says what to do next", () => {
    const [title, , sentence, , next] = reportOf([exampleTrial(), failed]).split("\n");
    expect(title).toBe("## ❌ Fail");
    expect(sentence).toMatch(/^1 of 2 cases failed: pdf\/2\. Smoke test: offline:rules /);
    expect(next).toBe("Next: `skillwright eval report`");
  });

  it("E-02 has a row for each skill, every rate with its interval and n", () => {
    const text = reportOf([exampleTrial(), { ...failed, skills: [] }]);
    expect(text).toContain("| pdf | 100 % (21 to 100 %, n = 1) | 50 % (9 to 91 %, n = 2) |");
    expect(text).toContain('- `pdf/2` contains "42": 41');
  });

  it("E-04 lists what flipped, worse before better", () => {
    const before = exampleResults([
      exampleTrial({ caseId: "pdf/2", grades: [{ ...grade, outcome: "pass", score: 1 }] }),
      exampleTrial({ caseId: "pdf/3", outcome: "fail", grades: [grade] }),
    ]);
    const results = exampleResults([
      failed,
      exampleTrial({ caseId: "pdf/3", grades: [{ ...grade, outcome: "pass", score: 1 }] }),
    ]);
    const comparison = compareResults(before, results);
    if (!comparison.ok) throw new Error(comparison.message);
    const text = markdownReport({ results, summary: summarize(results), comparison });
    expect(text).toMatch(/^## ❌ Regression\n/);
    expect(text).toContain("**Got worse** (1)\n- `pdf/2` 1 of 1 → 0 of 1: contains");
    expect(text.indexOf("Got worse")).toBeLessThan(text.indexOf("Got better"));
  });

  it("E-04 names new cases that fail", () => {
    const fresh = exampleTrial({ caseId: "pdf/new", outcome: "fail", grades: [grade] });
    const results = exampleResults([exampleTrial(), fresh]);
    const comparison = compareResults(exampleResults([exampleTrial()]), results);
    if (!comparison.ok) throw new Error(comparison.message);
    const text = markdownReport({ results, summary: summarize(results), comparison });
    expect(text).toContain("**New or changed, and failing** (1)\n- `pdf/new`\n");
  });

  it("E-02 says what nobody judged", () => {
    const words = { ...grade, metric: "judge", outcome: "unjudged" } as const;
    const results = exampleResults([
      exampleTrial({ grades: [words, { ...grade, outcome: "pass" }] }),
    ]);
    const text = markdownReport({ results, summary: summarize(results) });
    expect(text).toMatch(/^## ✅ Pass\n\n.*1 check unjudged/);
    expect(text).toMatch(/^- 1 of 2 expectations .*there is no/m);
  });

  it("E-03 stays short however much there is to say", () => {
    const arms = ["with_skill", "without_skill", "old_skill"] as const;
    const trials = arms.flatMap((arm) =>
      Array.from({ length: 300 }, (_, at) => {
        const skill = `skill-${at % 40}`;
        const outcome = at % 3 === 0 ? "fail" : at % 3 === 1 ? "error" : "pass";
        const grades = [{ ...grade, outcome: outcome === "pass" ? "pass" : "fail" } as const];
        const error = { code: "timed-out", message: "slow" };
        const expectedSkills = { used: [skill], unused: [], only: false };
        return exampleTrial({
          caseId: `case/${at}`,
          arm,
          outcome,
          grades,
          expectedSkills,
          skills: [skill],
          ...(outcome === "error" && { error, grades: [] }),
        });
      }),
    );
    const setup = { arms: arms.map((name) => ({ name })) };
    const results = exampleResults(trials, setup);
    const flipped = trials.map((trial) =>
      exampleTrial({
        ...trial,
        ...(trial.outcome !== "error" && { outcome: trial.outcome === "pass" ? "fail" : "pass" }),
      }),
    );
    const comparison = compareResults(exampleResults(flipped, setup), results);
    if (!comparison.ok) throw new Error(comparison.message);
    const text = markdownReport({ results, summary: summarize(results), comparison });
    expect(text.split("\n").length).toBeLessThanOrEqual(60);
    expect(text).toContain("and 34 more skills with a higher F1");
    expect(text).toContain("- and 95 more");
  });

  it("E-03 hostile names become text: no table cell, HTML, mention or link is made of them", () => {
    const skill =
      "a|b @root <img src=x onerror=alert(1)> [x](https://evil.example) #1 www.evil.example";
    const caseId = "`x` </code> @root\n## Pass\u202E";
    const text = reportOf([
      exampleTrial({
        caseId,
        skills: [skill],
        expectedSkills: { used: [skill], unused: [], only: false },
        outcome: "fail",
        grades: [{ ...grade, evidence: skill }],
      }),
    ]);
    const outsideCode = text.replaceAll(/(`+)(?:(?!`).|(?!\1(?!`))`)*?\1(?!`)/g, "");
    expect(outsideCode).not.toMatch(/<(?!\/?sub>)|@|https?:\/\/|www\.|(?<!\\)\[/);
    expect(outsideCode).not.toMatch(/^#+ Pass/m);
    expect(text).not.toContain("\u202E");
    const row = text.split("\n").find((line) => line.startsWith("| a"));
    expect(row?.split("|")).toHaveLength(6);
  });

  it("E-03 property: escaped text is one line without anything that Markdown or a host acts on", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab@#|<>&[]()`*_~\\!:/.w\n$") }), (text) => {
        const escaped = escapeMarkdown(text);
        expect(escaped).not.toMatch(/[<>|@\n]|:\/\/|(?<!&)#|www\./);
        expect(escaped.replaceAll(/\\[\\`*_[\]~$!]/g, "")).not.toMatch(/[`*_[\]~$!\\]/);
      }),
    );
  });

  it("E-03 a code span holds any number of backticks", () => {
    expect(codeSpan("a``b`")).toBe("``` a``b` ```");
    expect(codeSpan("plain")).toBe("`plain`");
  });
});
