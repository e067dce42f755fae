import { displayWidth } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { compareResults, summarize, terminalSummary } from "../index.ts";

const failed = exampleTrial({
  caseId: "pdf/2",
  outcome: "fail",
  skills: [],
  grades: [{ metric: "output", text: 'contains "42"', outcome: "fail", score: 0, evidence: "41" }],
});

function summaryOf(trials: Parameters<typeof exampleResults>[0], width?: number) {
  const results = exampleResults(trials);
  return terminalSummary({ results, summary: summarize(results) }, { ...(width && { width }) });
}

describe("terminalSummary", () => {
  it("E-03 ends with one line that is the verdict, and says what to do before it", () => {
    const lines = summaryOf([exampleTrial(), failed]);
    expect(lines.at(-1)).toMatch(
      /^✗ FAIL {2}1 of 2 cases failed: pdf\/2\. Smoke test: offline:rules /,
    );
    expect(lines.at(-2)).toBe("Next: skillwright eval report");
  });

  it("E-02 names the case that failed, the check and what was seen", () => {
    const text = summaryOf([exampleTrial(), failed]).join("\n");
    expect(text).toContain('✗ pdf/2\n  output: contains "42"; 41');
  });

  it("E-02 shows no rate without its interval and the number of cases", () => {
    const text = summaryOf([exampleTrial(), failed]).join("\n");
    expect(text).toContain("with the skill  50 % (95 % interval 9 to 91 %), 2 cases");
    expect(text).toMatch(/pdf +100 % \(21 to 100 %\) n=1 +50 % \(9 to 91 %\) n=2/);
    expect(text).toContain("Only 2 cases were judged");
  });

  it("E-02 says what nobody judged, also in the last line", () => {
    const [grade] = exampleTrial().grades;
    const words = { ...grade!, metric: "judge", outcome: "unjudged" } as const;
    const lines = summaryOf([exampleTrial({ grades: [grade!, words] })]);
    expect(lines.join(" ")).toContain("1 of 2 expectations were not judged: they are in words");
    expect(lines.at(-1)).toMatch(/^✓ PASS {2}1 check unjudged; 100 %.*smoke test/);
  });

  it("E-02 tells an error from a failure", () => {
    const error = { code: "timed-out", message: "slow" };
    const text = summaryOf([
      exampleTrial(),
      exampleTrial({ caseId: "pdf/3", outcome: "error", error, grades: [] }),
    ]).join("\n");
    expect(text).toContain("! pdf/3\n  timed-out: slow");
    expect(text).not.toContain("✗");
  });

  it("E-04 gives the verdict of the comparison, with what got worse", () => {
    const grades = failed.grades.map((grade) => ({ ...grade, outcome: "pass" as const, score: 1 }));
    const before = exampleResults([exampleTrial({ caseId: "pdf/2", grades })]);
    const results = exampleResults([failed]);
    const comparison = compareResults(before, results);
    expect(comparison.ok).toBe(true);
    if (!comparison.ok) return;
    const lines = terminalSummary({ results, summary: summarize(results), comparison });
    expect(lines).toContain("Worse than before (1)");
    expect(lines).toContain("  1 of 1 → 0 of 1    pdf/2");
    expect(lines.at(-1)).toMatch(/^✗ REGRESSION/);
  });

  it("E-03 of many failures shows the first and how many more there are", () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ ...failed, caseId: `pdf/${at}` }));
    const lines = summaryOf(many);
    expect(lines).toContain("  and 20 more");
    expect(lines.length).toBeLessThan(45);
  });

  it("E-03 colours through the port only", () => {
    const results = exampleResults([failed]);
    const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const colors = {
      bold: tag("bold"),
      dim: tag("dim"),
      red: tag("red"),
      yellow: tag("yellow"),
      green: tag("green"),
    };
    const lines = terminalSummary({ results, summary: summarize(results) }, { colors });
    expect(lines.at(-1)).toMatch(/^<red>✗ FAIL .*<\/red>$/);
  });

  it("E-03 property: no line is wider than the terminal or tells it to do anything", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constant("\u001B]0;x\u0007\u202E数据\n"),
    );
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.integer({ min: 40, max: 120 }),
        (caseId, evidence, skill, width) => {
          const grade = {
            metric: "output",
            text: evidence,
            outcome: "fail",
            score: 0,
            evidence,
          } as const;
          const expectedSkills = { used: [skill], unused: [], only: false };
          const lines = summaryOf(
            [
              exampleTrial({
                caseId,
                outcome: "fail",
                grades: [grade],
                expectedSkills,
                skills: [evidence],
              }),
              exampleTrial({
                caseId: `${caseId}2`,
                outcome: "error",
                error: { code: "x", message: evidence },
              }),
            ],
            width,
          );
          const bad = lines.filter(
            (line) =>
              displayWidth(line) > width || /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(line),
          );
          expect(bad).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });
});
